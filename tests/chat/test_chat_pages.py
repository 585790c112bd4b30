"""Two browsers talk beside a match: a desktop and a phone."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.running_site import RunningSite
from tests.web.axe import serious_violations
from tests.web.devices import DESKTOP, PORTRAIT
from tests.web.matches import made, saves, seated

PICTURES = os.environ.get("CHAT_PICTURES", "")


def picture(page: Page, name: str) -> None:
    """For those who look: CHAT_PICTURES=/tmp/shots."""
    if PICTURES:
        page.screenshot(path=Path(PICTURES) / f"{name}.png")


def chat(page: Page) -> Any:
    return page.get_by_role("region", name="Chat")


def log(page: Page) -> Any:
    return page.get_by_role("log", name="Messages")


def opened_on_phone(page: Page) -> None:
    page.locator(".chat-button").click()
    expect(chat(page)).to_be_visible()


@pytest.fixture
def pages(site: RunningSite, new_context) -> tuple[Page, Page, str]:
    """Two players with accounts in a private match, and its address."""
    game = {"mode": "battleship", "kinds": ["registered"] * 2, "options": {}, "source": "invite"}
    ((address, keys),) = made(site, game)
    one = seated(site, new_context(**DESKTOP).new_page(), address, keys[0])
    other = seated(site, new_context(**PORTRAIT, locale="de").new_page(), address, keys[1])
    return one, other, address


def test_two_players_talk_and_each_reads_their_own_language(pages):
    one, other, _address = pages
    expect(chat(one)).to_be_visible()
    picture(one, "desktop-empty")
    one.get_by_role("button", name="Good luck!").click()
    expect(log(one)).to_contain_text("You Good luck!")
    button = other.locator(".chat-button")
    expect(button.locator(".chat-unread")).to_have_text("1")
    picture(other, "phone-unread")
    stage = other.locator(".match-stage")
    button.click()
    region = other.get_by_role("region", name="Chat")
    expect(region.get_by_role("log")).to_contain_text("Viel Glück!")
    expect(button.locator(".chat-unread")).to_be_hidden()
    picture(other, "phone-open")
    # The panel takes its room from the board, and never covers it.
    board, panel = stage.bounding_box(), region.bounding_box()
    assert board
    assert panel
    assert board["y"] + board["height"] <= panel["y"] + 1
    assert board["height"] > 120
    # By keyboard: write and send.
    field = other.locator(".chat-form input")
    field.fill("Hallo, wie geht's?")
    field.press("Enter")
    expect(log(one)).to_contain_text("Hallo, wie geht's?")
    expect(field).to_have_value("")
    field.fill("du bastard")
    field.press("Enter")
    expect(other.locator(".chat-state")).not_to_be_empty()
    expect(field).to_have_value("du bastard")
    picture(other, "phone-refused")
    assert not serious_violations(one)
    assert not serious_violations(other)
    other.keyboard.press("Escape")
    expect(region).to_be_hidden()
    expect(button).to_be_focused()


def test_a_player_mutes_reports_and_switches_the_chat_off(pages, site):
    one, other, _address = pages
    opened_on_phone(other)
    other.locator(".chat-form input").fill("Not nice")
    other.locator(".chat-form input").press("Enter")
    more = log(one).get_by_role("button", name="Options for a message")
    more.click()
    picture(one, "desktop-options")
    assert not serious_violations(one)
    log(one).get_by_role("button", name="Report this message").click()
    expect(chat(one)).to_contain_text("A moderator will look into it.")
    more.click()
    log(one).get_by_role("button", name="Mute").click()
    expect(log(one)).not_to_contain_text("Not nice")
    expect(chat(one)).to_contain_text("1 player muted.")
    chat(one).get_by_role("button", name="Unmute").click()
    one.reload()
    expect(log(one)).to_contain_text("Not nice")
    kept = site.python(
        "from games.moderation.models import Report\n"
        "report = Report.objects.filter(reason='chat').latest('pk')\n"
        "print([str(row.line) for row in report.chat_lines.all()])"
    )
    assert "Not nice" in kept
    one.get_by_role("button", name="Settings").click()
    with one.expect_response(saves("chat")):
        one.get_by_role("switch", name="Chat").click()
    one.get_by_role("button", name="Close").click()
    expect(chat(one)).to_be_hidden()
    one.reload()
    expect(one.locator("#match")).to_have_attribute("aria-busy", "false")
    expect(one.locator(".chat")).to_have_count(0)


def test_the_spectators_talk_is_shown_to_players_after_the_end(pages, site, new_context):
    one, other, address = pages
    watcher = new_context(**DESKTOP).new_page()
    ((_elsewhere, keys),) = made(
        site, {"mode": "race", "kinds": ["registered"] * 2, "options": {}, "source": "invite"}
    )
    seated(site, watcher, address, keys[0])
    watcher.locator(".chat-form input").fill("Try the corner")
    watcher.locator(".chat-form input").press("Enter")
    expect(log(watcher)).to_contain_text("Try the corner")
    expect(chat(one).get_by_role("button", name="Spectators")).to_be_hidden()
    for page in (one, other):
        page.evaluate(
            "async () => { const { lobby } = await import('games/lobby/shared.js');"
            " window.heard = []; lobby().on('chat_line', (line) => heard.push(line)); }"
        )
    one.locator(".give-up").click()
    one.get_by_role("dialog").get_by_role("button", name="Give up").click()
    chat(one).get_by_role("button", name="Spectators").click()
    expect(log(one)).to_contain_text("Try the corner")
    picture(one, "desktop-over")
    assert not serious_violations(one)
    assert other.evaluate("heard") == []
