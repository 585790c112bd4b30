"""Somebody with `nc` and somebody with a browser meet in the same queue, and play to the end."""

from __future__ import annotations

import contextlib
import re

from playwright.sync_api import Page, expect

from games.modes.battleship.tests.test_match_page import bomb, cells, ships
from tests.lobby.battleship_client import BOARD, SHIPS, WATER, TcpClient, queue
from tests.web.matches import become_guest, opened


def test_a_text_player_beats_a_web_player_who_wants_to_play_again(page: Page, site):
    become_guest(page)
    guest = str(page.evaluate("document.documentElement.dataset.user"))
    with contextlib.closing(TcpClient(site)) as anna:
        queue(anna, "anna")
        page.goto("/play/battleship/")
        page.get_by_label("Let a bot join right away").uncheck()
        page.get_by_role("button", name="Find a match").click()
        anna.expect(f"PLAY {guest}")
        page.wait_for_url(re.compile(r"/match/[a-z0-9]{12}/$"))
        opened(page)
        first = page.url
        expect(page.locator(".player-name").filter(has_text="anna").first).to_be_visible()
        page.get_by_role("button", name="Confirm fleet").click()
        fleet = [cell for ship in ships(page) for cell in cells(ship)]
        anna.send(f"REDY {BOARD}")
        anna.expect("TURN")
        for target, miss in zip(fleet, WATER, strict=False):
            shot = f"{target % 10}{target // 10}"
            anna.send(f"BOM1 {shot}")
            anna.expect(f"RES1 {shot}1")
            if target == fleet[-1]:
                break
            anna.expect("WAIT")
            bomb(page, miss)
            anna.expect(f"RES1 {miss % 10}{miss // 10}0", "TURN")
        anna.expect("WINN")
        result = page.get_by_role("dialog", name="Result")
        expect(result).to_contain_text("anna wins")
        page.get_by_role("button", name="Again").click()
        anna.send("AGAN,1")
        anna.expect("AGAN,1")
        page.wait_for_url(lambda url: "/match/" in url and url != first)
        opened(page)
        anna.send(f"REDY {BOARD}")
        page.get_by_role("button", name="Confirm fleet").click()
        anna.expect("WAIT")  # the loser attacks first
        bomb(page, SHIPS[0])
        anna.expect("RES1 001", "TURN")
        anna.send("SURR")
        expect(page.get_by_role("dialog", name="Result")).to_contain_text("You win!")
