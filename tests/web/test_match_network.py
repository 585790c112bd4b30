"""The network under a match: away and back, a second tab, a server that is about to stop."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.running_site import RunningSite
from tests.web.line import Line
from tests.web.matches import (
    FLAG,
    WALL,
    click,
    dealt,
    expect_face,
    faces,
    opened,
    seated,
    solo,
)


def test_a_flag_is_drawn_at_once_and_sent_when_the_network_is_back(site, new_context):
    page = seated(site, new_context().new_page(), *dealt(site, WALL)[0])
    click(page, 8)
    expect_face(page, 8, 0)
    page.context.set_offline(True)
    expect(page.locator(".away-line")).to_be_visible()
    click(page, 0, button="right")
    assert faces(page)[0] == FLAG
    page.context.set_offline(False)
    expect(page.locator(".away-line")).to_be_hidden()
    # The waiting command was sent with the same id; the server has it now.
    page.reload()
    opened(page)
    expect_face(page, 0, FLAG)


def test_a_second_tab_takes_over_politely(page: Page):
    address = solo(page, width=9, height=9, mines=10)
    second = page.context.new_page()
    second.goto(address)
    opened(second)
    expect(page.get_by_role("heading", name="You’re playing in another tab")).to_be_visible()
    page.get_by_role("button", name="Play here instead").click()
    expect(page.get_by_role("heading", name="You’re playing in another tab")).to_be_hidden()
    expect(second.get_by_role("heading", name="You’re playing in another tab")).to_be_visible()
    click(page, 40)
    expect_face(page, 40, 0)


def network_of(page: Page) -> Callable[[bool], None]:
    """Turns the network of this page off and on, not that of its neighbours in the same browser."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    rest = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    return lambda on: session.send("Network.emulateNetworkConditions", {"offline": not on, **rest})


def test_a_tab_that_was_offline_asks_before_it_takes_the_seat_back(page: Page):
    address = solo(page, width=9, height=9, mines=10)
    asks = page.get_by_role("heading", name="You’re playing in another tab")
    network = network_of(page)
    network(False)
    expect(page.locator(".away-line")).to_be_visible()
    second = page.context.new_page()
    second.goto(address)
    opened(second)
    network(True)
    expect(asks).to_be_visible()
    click(second, 40)
    expect_face(second, 40, 0)
    expect(second.get_by_role("heading", name="You’re playing in another tab")).to_be_hidden()
    page.get_by_role("button", name="Play here instead").click()
    expect(asks).to_be_hidden()
    expect_face(page, 40, 0)
    expect(second.get_by_role("heading", name="You’re playing in another tab")).to_be_visible()


def test_a_server_that_is_about_to_stop_is_left_in_time(site: RunningSite, new_context):
    page = new_context().new_page()
    line = Line(page)
    seated(site, page, *dealt(site, WALL)[0])
    click(page, 8)
    expect_face(page, 8, 0)
    line.say({"type": "reconnect", "after_ms": 30})
    line.until(lambda: len(line.hellos()) == 2)
    first, second = line.hellos()
    assert first["last"] is None
    assert "since" not in first
    assert second["last"] > 0  # only what was missed
    assert second["since"] > 0  # not a new tab
    click(page, 0, button="right")
    expect_face(page, 0, FLAG)
    line.until(lambda: len(line.acknowledged) == 2)  # the page draws a flag before it is stored
    page.reload()
    opened(page)
    expect_face(page, 0, FLAG)
