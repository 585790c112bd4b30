"""The network under a match: away and back, a second tab, a server that is about to stop."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, WebSocketRoute, expect

from tests.running_site import RunningSite
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
    page = seated(site, new_context(), *dealt(site, WALL)[0])
    click(page, 8)
    expect_face(page, 8, 0)
    page.context.set_offline(True)
    expect(page.locator(".away-line")).to_be_visible()
    click(page, 0, button="right")
    assert faces(page)[0] == FLAG
    page.context.set_offline(False)
    expect(page.locator(".away-line")).to_be_hidden()
    # What waited was sent with the same command id; the server has it now.
    page.reload()
    opened(page)
    expect_face(page, 0, FLAG)


def test_a_second_tab_takes_over_politely(page: Page):
    address = solo(page, width=9, height=9, mines=10)
    second = page.context.new_page()
    second.goto(address)
    opened(second)
    expect(page.get_by_role("heading", name="You play in another tab")).to_be_visible()
    page.get_by_role("button", name="Play here instead").click()
    expect(page.get_by_role("heading", name="You play in another tab")).to_be_hidden()
    expect(second.get_by_role("heading", name="You play in another tab")).to_be_visible()
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
    asks = page.get_by_role("heading", name="You play in another tab")
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
    expect(second.get_by_role("heading", name="You play in another tab")).to_be_hidden()
    page.get_by_role("button", name="Play here instead").click()
    expect(asks).to_be_hidden()
    expect_face(page, 40, 0)
    expect(second.get_by_role("heading", name="You play in another tab")).to_be_visible()


class Line:
    """The match socket of a page, with a hand on it."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.sockets: list[WebSocketRoute] = []
        self.sent: list[dict[str, Any]] = []
        page.route_web_socket("**/ws/match/**", self._connect)

    def _connect(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        self.sockets.append(socket)

        def to_server(data: str | bytes) -> None:
            self.sent.append(json.loads(data))
            server.send(data)

        socket.on_message(to_server)

    def say(self, *messages: dict[str, Any]) -> None:
        """As if the server said it."""
        self.sockets[-1].send(json.dumps(messages))

    def hellos(self) -> list[dict[str, Any]]:
        return [message for message in self.sent if message["type"] == "hello"]


def test_a_server_that_is_about_to_stop_is_left_in_time(site: RunningSite, new_context):
    address, session = dealt(site, WALL)[0]
    context = new_context()
    context.add_cookies([{"name": "sessionid", "value": session, "url": site.url}])
    page = context.new_page()
    line = Line(page)
    page.goto(address)
    opened(page)
    click(page, 8)
    expect_face(page, 8, 0)
    page.evaluate("""() => {
      window.states = [];
      new MutationObserver(() => window.states.push(document.body.dataset.link))
        .observe(document.body, { attributeFilter: ["data-link"] });
    }""")
    line.say({"type": "reconnect", "after_ms": 30})
    wait_until(page, lambda: len(line.hellos()) == 2)
    first, second = line.hellos()
    assert (first["last"], first["since"]) == (None, None)
    assert second["last"] > 0  # only what was missed
    assert second["since"] > 0  # not a new tab
    click(page, 0, button="right")
    expect_face(page, 0, FLAG)
    page.reload()
    opened(page)
    expect_face(page, 0, FLAG)


def wait_until(page: Page, true: Callable[[], bool]) -> None:
    """Playwright's events come only while the page is asked for something."""
    for _ in range(2000):
        if true():
            return
        page.evaluate("() => new Promise((done) => setTimeout(done, 10))")
    raise AssertionError("it did not happen")
