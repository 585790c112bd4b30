"""Somebody who has never seen the game: from the front page to the first city, within five minutes
of match time, with nothing but what the page shows."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, expect

from games.modes.minewars.rules.tiles import IS_LAND
from games.modes.minewars.tests.trial import LONG, Player
from tests.running_site import RunningSite
from tests.web.matches import frame_of, opened

FIVE_MINUTES = 300_000
OWNER, ITEM, DIGIT, PROTECTED = 5, 8, 20, 1 << 26
SEEN = """({ board: { state } }) => ({
  tiles: [...state.tiles], cities: [...state.cities], you: state.look.you, time: state.time(),
})"""


class Newcomer(Player):
    """Captures what the digits prove safe, else the nearest tile, on the way to the nearest city;
    strikes what the digits prove dangerous there."""

    around: list[list[int]]
    """The neighbours of every tile."""

    def look(self) -> None:
        seen: dict[str, Any] = frame_of(self.page).evaluate(SEEN)
        self.codes: list[int] = seen["tiles"]
        self.cities: list[int] = seen["cities"]
        self.you: int = seen["you"]
        self.time: float = seen["time"]

    def mine(self, cell: int) -> bool:
        return self.codes[cell] >> OWNER & 7 == self.you

    def is_land(self, cell: int) -> bool:
        return IS_LAND[self.codes[cell] & 7] and cell not in self.cities

    def deduce(self) -> tuple[set[int], set[int]]:
        """The tiles that digit after digit proves to be empty, and those with an item."""
        safe: set[int] = set()
        full = {
            cell for cell, code in enumerate(self.codes) if code >> ITEM & 3 and not self.mine(cell)
        }
        for _ in range(4):
            for cell, code in enumerate(self.codes):
                digit = (code >> DIGIT & 15) - 1
                if digit < 0 or not self.mine(cell):
                    continue
                around = [n for n in self.around[cell] if not self.mine(n) and self.is_land(n)]
                unknown = [n for n in around if n not in safe and n not in full]
                left = digit - sum(n in full for n in around)
                if left == 0:
                    safe.update(unknown)
                elif left == len(unknown):
                    full.update(unknown)
        return safe, full

    def next(self) -> tuple[str, int]:
        """The next order: what, and where."""
        safe, full = self.deduce()
        goal = self.goal()
        edge = [
            cell
            for cell in range(len(self.codes))
            if self.is_land(cell)
            and not self.mine(cell)
            and not self.codes[cell] & PROTECTED
            and any(self.mine(n) for n in self.around[cell])
        ]
        far = self.distances(goal)
        edge.sort(key=lambda cell: (far.get(cell, 999) - 2 * (cell in safe), cell))
        best = edge[0]
        return ("strike" if best in full else "capture"), best

    def goal(self) -> int:
        """The nearest city of nobody's, else the nearest."""
        own = [cell for cell in range(len(self.codes)) if self.mine(cell)]
        far = self.distances(*own)
        others = [cell for cell in self.cities if not self.mine(cell)]
        return min(
            others, key=lambda cell: (bool(self.codes[cell] >> OWNER & 7), far.get(cell, 999))
        )

    def distances(self, *starts: int) -> dict[int, int]:
        """Steps over land, cities at their ends."""
        found = dict.fromkeys(starts, 0)
        queue = list(starts)
        for at in queue:
            for n in self.around[at]:
                if n not in found and (self.is_land(n) or n in self.cities):
                    found[n] = found[at] + 1
                    queue.append(n)
        return found

    def act(self) -> None:
        """Do it, and wait until the tile is different or a moment has passed."""
        what, cell = self.next()
        before = self.codes[cell]
        self.dismiss_hint()
        if what == "strike":
            self.arm("strike")
            self.click(cell)
            fire = self.page.get_by_role("button", name="Fire")
            if fire.is_enabled():
                fire.click()
            else:  # no money for it: step on the item
                self.page.keyboard.press("Escape")
                self.page.keyboard.press("Escape")
                self.click(cell)
        else:
            self.click(cell)
        begun = self.time

        def settled() -> bool:
            self.look()
            return self.codes[cell] != before or self.time > begun + 3000

        self.until(settled, "the match stands still")
        expect(self.page.locator(".war-effect.is-stunned")).to_be_hidden()
        self.look()


@pytest.mark.skipif(not LONG, reason="plays against the clock: make trials")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("attempt", range(3))
def test_a_newcomer_takes_a_city_within_five_minutes(
    site: RunningSite, new_context: Callable[..., BrowserContext], attempt: int
) -> None:
    newcomer = Newcomer(new_context().new_page(), 0)
    page = newcomer.page
    page.goto("/")
    page.locator("[data-quick=minewars]").click()
    page.wait_for_url(re.compile(r"/match/[a-z0-9]{12}/$"), timeout=60_000)
    opened(page)
    newcomer.around = page.evaluate(
        "document.querySelector('.board-frame').board.state.topo.neighbours"
    )
    expect(page.locator(".war-city")).to_have_count(1, timeout=40_000)  # after the ban stage
    newcomer.look()
    began = newcomer.time
    taken: list[Any] = []
    while not taken and newcomer.time - began < FIVE_MINUTES:
        newcomer.act()
        newcomer.picture(f"newcomer-{attempt}")
        taken = [e for e in newcomer.events if e["type"] == "taken" and e["by"] == newcomer.you]
        if any(event["type"] == "over" for event in newcomer.events):
            break
    seconds = (newcomer.time - began) / 1000
    deaths = sum(e["type"] == "killed" and e["victim"] == newcomer.you for e in newcomer.events)
    opponent = page.locator(".player-name").nth(1).inner_text()
    print(f"{opponent}: a city after {seconds:.0f} s, {deaths} mines stepped on")
    assert taken, f"no city after {seconds:.0f} s"
    assert newcomer.refusals() == []
