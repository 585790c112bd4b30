"""A whole small match without a mouse: from the page of the queue to the result."""

from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import BrowserContext, Locator, expect

from games.modes.minewars.rules.state import is_land
from games.modes.minewars.tests.trial import Browsers, Player
from tests.running_site import RunningSite
from tests.web.matches import at, frame_of, opened

MATCH = re.compile(r"/match/[a-z0-9]{12}/$")
OPTIONS = {
    "radius": 8,
    "cities": 2,
    "ban_seconds": 0,
    "limit_seconds": 600,
    "mine_percent": 0,
    "decoy_percent": 0,
    "price_percent": 10,
}


class Typist(Player):
    """Has no mouse."""

    def tab_to(self, goal: Locator, most: int = 60) -> None:
        for _ in range(most):
            if goal.evaluate("element => element === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab does not lead to {goal}")

    def cursor(self) -> int:
        return int(self.board("state.cursor"))

    def go(self, cell: int) -> None:
        """Move the cursor along the rows and columns of a square map."""
        side = 2 * OPTIONS["radius"] + 1
        for _ in range(60):
            here = self.cursor()
            if here == cell:
                return self.shows(cell)
            dx, dy = cell % side - here % side, cell // side - here // side
            key = (
                ("ArrowRight" if dx > 0 else "ArrowLeft")
                if dx
                else ("ArrowDown" if dy > 0 else "ArrowUp")
            )
            self.page.keyboard.press(key)
        raise AssertionError("the cursor does not get there")

    def shows(self, cell: int) -> None:
        """The tools don't cover the tile under the cursor."""
        covered = self.page.evaluate(
            "([x, y]) => Boolean(document.elementFromPoint(x, y)?.closest('.war-tools'))",
            list(at(self.page, cell)),
        )
        assert not covered

    def use(self, key: str, *cells: int) -> None:
        """Arm a tool, and press Enter on these tiles."""
        self.page.keyboard.press(key)
        for cell in cells:
            self.go(cell)
            self.page.keyboard.press("Enter")

    def reads(self, text: str) -> None:
        """The screen reader's text on the tile under the cursor."""
        current = (
            "frame => document.getElementById("
            "frame.querySelector('[role=grid]').getAttribute('aria-activedescendant')).textContent"
        )
        self.until(
            lambda: text in frame_of(self.page).evaluate(current), f"the cell does not read {text}"
        )


def invite(typist: Typist) -> str:
    """A private match on squares, set up in the form with keys alone; its link."""
    page = typist.page
    page.goto("/play/minewars/")
    typist.tab_to(page.locator("#invite-box > summary"))
    page.keyboard.press("Enter")
    form = page.locator("#invite")
    typist.tab_to(form.locator("details summary"))
    page.keyboard.press("Enter")
    typist.tab_to(form.locator("[name=option-topology]"))
    page.keyboard.type("squares")
    for name, value in OPTIONS.items():
        field = form.locator(f"[name=option-{name}]")
        typist.tab_to(field)
        page.keyboard.press("Control+a")
        page.keyboard.type(str(value))
    typist.tab_to(form.get_by_role("button", name="Create link"))
    page.keyboard.press("Enter")
    page.wait_for_url("**/invite/**")
    return page.get_by_label("Link").input_value()


def test_a_whole_match_without_a_mouse(
    site: RunningSite, new_context: Callable[..., BrowserContext]
) -> None:
    typist = Typist(new_context().new_page(), 0)
    page = typist.page
    friend = Player(new_context().new_page(), 1)
    friend.page.goto(invite(typist))
    friend.page.get_by_role("button", name=re.compile("Join")).click()
    for one in (page, friend.page):
        one.wait_for_url(MATCH)
        opened(one)
    trial = Browsers(site, page.url, [typist, friend], "keyboard")
    state = trial.state
    trial.until(0, lambda: state.began is not None, "it does not begin")
    expect(page.get_by_role("grid", name="Map")).to_be_focused()

    # N finds a tile to capture, Enter takes it; nothing lies around, so the land spreads.
    page.keyboard.press("n")
    taken = typist.cursor()
    page.keyboard.press("Enter")
    trial.until(0, lambda: state.owner[taken] == 1, "nothing was captured")
    typist.reads("yours")
    page.keyboard.press("t")
    typist.reads(", yours")
    typist.see("keyboard-land")

    own = [
        cell
        for cell in range(state.topo.size)
        if state.owner[cell] == 1 and is_land(state, cell) and state.owns_region(1, cell)
    ]
    # A mine, a road of three tiles between two presses of Enter, a flag, a menu.
    typist.use("3", own[0])
    trial.until(0, lambda: state.item[own[0]] == 1, "no mine was laid")
    page.keyboard.press("Escape")
    row = next(
        (a, a + 1, a + 2)
        for a in own
        if {a + 1, a + 2} <= set(own)
        and a + 2 in state.topo.neighbours[a + 1]
        and own[0] not in (a, a + 1, a + 2)
    )
    typist.use("8", row[0], row[2])
    expect(page.locator(".war-order")).to_contain_text("3 tiles")
    page.keyboard.press("Enter")
    trial.until(0, lambda: all(c in state.pending or c in state.structures for c in row), "no road")
    typist.go(own[-1])
    page.keyboard.press("f")
    trial.until(0, lambda: own[-1] in state.empires[1].flags, "no flag was set")
    page.keyboard.press("ContextMenu")
    menu = page.get_by_role("menu", name="Orders for this tile")
    expect(menu).to_be_visible()
    expect(menu.get_by_role("menuitem", name="Close")).to_be_focused()
    typist.see("keyboard-menu")
    page.keyboard.press("Escape")
    expect(page.get_by_role("grid", name="Map")).to_be_focused()

    # A strike on two tiles of the other's.
    theirs = [
        cell for cell in range(state.topo.size) if state.owner[cell] == 2 and is_land(state, cell)
    ][:2]
    typist.use("2", *theirs)
    expect(page.locator(".war-order")).to_contain_text("2 tiles")
    page.keyboard.press("Enter")
    trial.until(0, lambda: all(state.kind[cell] == 3 for cell in theirs), "no strike")
    trial.agree()

    # All land around the other's city, then the siege. The result has the focus.
    for cell in state.topo.neighbours[state.cities[trial.city_of(2)].cell]:
        if state.owner[cell] != 1:
            typist.use("1", cell)
            trial.until(0, lambda cell=cell: state.owner[cell] == 1, "not captured")
    trial.until(8000, lambda: trial.over, "the match goes on")
    result = page.get_by_role("dialog", name="Result")
    expect(result).to_be_visible()
    assert result.evaluate("dialog => dialog.contains(document.activeElement)")
    typist.see("keyboard-result")
    typist.tab_to(result.get_by_role("link", name="Replay"))
    page.keyboard.press("Enter")
    expect(page.get_by_role("grid", name="Map")).to_be_visible()
    assert typist.refusals() == []
