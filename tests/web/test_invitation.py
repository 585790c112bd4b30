"""Two people in two browsers: one sends a link, the other takes the seat, both are in the match."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.running_site import RunningSite

pytestmark = [pytest.mark.browser, pytest.mark.site]

INVITE = """
() => new Promise((resolve) => {
  const socket = new WebSocket(`ws://${location.host}/ws/lobby/`);
  socket.onopen = () => socket.send('{"type":"invite","mode":"battleship"}');
  socket.onmessage = (event) => {
    const message = JSON.parse(event.data);
    if (message.type === "invitation") { socket.close(); resolve(message.url); }
  };
})
"""


def as_guest(page: Page) -> None:
    page.goto("/accounts/guest/?next=/leaderboard/race/")
    page.get_by_role("button", name="Play as a guest").click()
    page.wait_for_url("**/leaderboard/race/")


def test_a_link_brings_two_into_a_match(site: RunningSite, new_context, complaints) -> None:
    host, friend = new_context().new_page(), new_context().new_page()
    as_guest(host)
    url = host.evaluate(INVITE)
    host.goto(url)
    link = host.get_by_label("Link").input_value()
    assert link == f"{site.url}{url}"
    expect(host.get_by_text("open seat")).to_be_visible()

    friend.goto(link)
    expect(friend.get_by_role("heading", name=re.compile("invites you"))).to_be_visible()
    assert not complaints
    friend.get_by_role("button", name="Join as a guest").click()
    host.wait_for_url("**/match/*/")
    friend.wait_for_url("**/match/*/")
    assert host.url == friend.url
    # The page of a match is tested elsewhere.
    complaints.clear()


def test_a_player_who_gives_up_the_seat_withdraws_the_invitation(
    site: RunningSite, new_context
) -> None:
    host, friend = new_context().new_page(), new_context().new_page()
    as_guest(host)
    url = host.evaluate(INVITE)
    host.goto(url)
    host.get_by_role("button", name="Give up my seat").click()
    host.wait_for_url(site.url + "/")
    friend.goto(url)
    expect(friend.get_by_text("The host withdrew this invitation.")).to_be_visible()
