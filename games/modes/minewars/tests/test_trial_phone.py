"""A whole match on a phone: one finger, two fingers, no mouse, no keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import BrowserContext, expect

from games.modes.minewars.rules.state import is_land
from games.modes.minewars.tests.campaign import Skirmish
from games.modes.minewars.tests.trial import Player, start
from tests.running_site import RunningSite, wait_for
from tests.web.matches import at, fingers_of, frame_of

PHONE = {
    "viewport": {"width": 390, "height": 844},
    "is_mobile": True,
    "has_touch": True,
    "device_scale_factor": 2,
}


class Phone(Player):
    """Fingers only."""

    def look(self, cell: int) -> None:
        frame_of(self.page).evaluate("(frame, cell) => frame.board.look(cell, 34)", cell)

    def click(self, cell: int, button: Any = "left") -> None:
        self.look(cell)
        self.page.touchscreen.tap(*at(self.page, cell))

    def arm(self, tool: str, means: str = "tool") -> None:
        armed = self.page.locator(f"[data-tool={tool}]")
        for _ in range(5):  # a tap that a busy machine makes too long is no tap
            armed.tap()
            if armed.get_attribute("aria-pressed") == "true":
                return
        raise AssertionError(f"{tool} can't be armed")

    def hold(self, cell: int) -> None:
        """A long press; the menu stays when the finger is lifted."""
        fingers = fingers_of(self.page)
        fingers("touchStart", at(self.page, cell))
        expect(self.page.get_by_role("menu", name="Orders for this tile")).to_be_visible()
        fingers("touchEnd")

    def choose(self, tool: str, cell: int) -> None:
        self.look(cell)
        self.hold(cell)
        self.page.locator(f".war-radial [data-order={tool}]").tap()
        expect(self.page.get_by_role("menu", name="Orders for this tile")).to_be_hidden()

    def draw(self, cells: list[int]) -> None:
        fingers = fingers_of(self.page)
        fingers("touchStart", at(self.page, cells[0]))
        for cell in cells[1:]:
            fingers("touchMove", at(self.page, cell))
        fingers("touchEnd")

    def give(self, kind: str, fields: dict[str, Any]) -> None:
        cells = fields.get("cells") or [fields["cell"]]
        if kind == "capture":
            return self.click(cells[0])
        if kind == "strike":
            self.arm("strike")
            for cell in cells:
                self.click(cell)
            self.page.get_by_role("button", name="Fire").tap()
            return None
        return self.choose(fields.get("item") or fields.get("structure") or kind, cells[0])

    def inside(self, what: str) -> None:
        """Nothing of these elements is cut off by the window."""
        for element in self.page.locator(what).all():
            expect(element).to_be_in_viewport(ratio=1)


def test_a_whole_match_by_touch(
    site: RunningSite, new_context: Callable[..., BrowserContext]
) -> None:
    trial = start(site, new_context, Skirmish, "phone", {0: (Phone, PHONE)})
    assert isinstance(trial, Skirmish)
    phone = trial.players[0]
    assert isinstance(phone, Phone)
    page, state = phone.page, trial.state
    phone.board("prefs.long_press_ms = 1500")  # a busy machine makes short taps long
    trial.play(trial.begin, trial.flood)
    phone.see("phone-land")

    # A road is drawn with a finger; two fingers meanwhile move the map.
    own = [
        cell
        for cell in range(state.topo.size)
        if state.owner[cell] == 1
        and is_land(state, cell)
        and state.owns_region(1, cell)
        and cell not in state.structures
    ]
    row = next([a, a + 1, a + 2] for a in own if {a + 1, a + 2} <= set(own) and far(trial, a))
    phone.arm("road")
    phone.look(row[1])
    phone.draw(row)
    expect(page.locator(".war-order")).to_contain_text("3 tiles")
    phone.inside(".war-order button")
    phone.see("phone-road")
    page.get_by_role("button", name="Build").tap()
    trial.until(0, lambda: all(c in state.pending or c in state.structures for c in row), "no road")

    # One finger moves the map while capture is armed, two also while a road is drawn.
    phone.arm("capture")
    before = phone.board("place(0)")
    fingers = fingers_of(page)
    fingers("touchStart", (200, 400))
    fingers("touchMove", (240, 430))
    fingers("touchMove", (260, 460))
    fingers("touchEnd")
    wait_for(lambda: phone.board("place(0)")["x"] > before["x"])
    panned = phone.board("place(0)")
    phone.arm("road")
    fingers("touchStart", (180, 480), (280, 480))  # below the list of orders
    fingers("touchMove", (140, 500), (320, 500))
    fingers("touchEnd")
    wait_for(lambda: phone.board("place(0)")["size"] > panned["size"] * 1.2)
    assert phone.board("state.marks.chosen") == []
    phone.arm("capture")

    # The menu is whole wherever the tile is, also at the edges of the map's frame.
    for dx, dy in ((-0.42, 0), (0.42, 0), (0, -0.2), (0, 0.12)):
        phone.look(row[0])
        x, y = at(page, row[0])
        goal = (390 * (0.5 + dx), 844 * (0.55 + dy))
        frame_of(page).evaluate(
            "(frame, [dx, dy]) => frame.board.pan(2 * dx, 2 * dy)", [goal[0] - x, goal[1] - y]
        )
        phone.hold(row[0])
        phone.picture(f"phone-menu{dx:+}{dy:+}")
        phone.inside(".war-radial button")
        page.get_by_role("menuitem", name="Close").tap()
        expect(page.get_by_role("menu", name="Orders for this tile")).to_be_hidden()

    # Items on the other's land are struck with a tick, and the city taken.
    trial.play(trial.come_near, trial.trap, trial.strike)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    trial.play(trial.win)
    expect(page.get_by_role("dialog", name="Result")).to_be_visible()
    phone.see("phone-result")


def far(trial: Skirmish, cell: int) -> bool:
    """Three tiles in a row from here, all land."""
    neighbours = trial.state.topo.neighbours
    return cell + 1 in neighbours[cell] and cell + 2 in neighbours[cell + 1]
