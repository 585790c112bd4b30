"""A board that is larger than the screen has a minimap and buttons to zoom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.running_site import RunningSite
from tests.web.devices import DESKTOP, LANDSCAPE, PORTRAIT
from tests.web.matches import at, fingers_of, frame_of, made, seated, solo

SEEN = """frame => {
  const { x, y, cell, width, height, columns, rows } = frame.board.state.viewport;
  return { left: -x / cell, top: -y / cell, right: (width - x) / cell, bottom: (height - y) / cell,
    whole: columns * cell <= width && rows * cell <= height, cell };
}"""
OVER = "([x, y]) => document.elementFromPoint(x, y).className"


def seen(page: Page) -> dict[str, Any]:
    """Which cells are in the window."""
    found: dict[str, Any] = frame_of(page).evaluate(SEEN)
    return found


def press(page: Page, x: float, y: float) -> None:
    """A press on the minimap, at these shares of it."""
    box = page.locator(".minimap").bounding_box()
    assert box is not None
    page.touchscreen.tap(box["x"] + x * box["width"], box["y"] + y * box["height"])


@pytest.mark.parametrize("device", [PORTRAIT, LANDSCAPE])
def test_a_large_board_on_a_phone(
    new_context: Callable[..., BrowserContext], device: dict[str, Any]
) -> None:
    page = new_context(**device).new_page()
    solo(page, width=30, height=24, mines=99)
    expect(page.locator(".minimap")).to_be_visible()
    assert not seen(page)["whole"]
    press(page, 0.97, 0.97)
    corner = seen(page)
    assert (corner["right"], corner["bottom"]) == (30, 24)
    press(page, 0.03, 0.03)
    assert seen(page)["left"] == 0
    before = seen(page)["cell"]
    page.get_by_role("button", name="Zoom in").tap()
    assert seen(page)["cell"] > before
    page.get_by_role("button", name="Fit board").tap()
    assert seen(page)["whole"]
    expect(page.locator(".minimap")).to_be_hidden()
    for _ in range(3):
        page.get_by_role("button", name="Zoom in").tap()
    expect(page.locator(".minimap")).to_be_visible()
    page.get_by_role("button", name="Zoom out").tap()


def test_no_cell_stays_under_the_minimap(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(**PORTRAIT).new_page()
    solo(page, width=30, height=24, mines=99)
    press(page, 0.97, 0.03)
    x, y = at(page, 29)
    assert "board-surface" in page.evaluate(OVER, [x, y])
    # A finger may push it back there, and draw it out again.
    fingers = fingers_of(page)
    for start, end in ((y + 200, y + 160), (y + 160, y + 260)):
        fingers("touchStart", (x - 60, start))
        for step in range(1, 6):
            fingers("touchMove", (x - 60, start + (end - start) * step / 5))
        fingers("touchEnd")
        over = page.evaluate(OVER, list(at(page, 29)))
        assert ("board-surface" in over) == (end > start)


def test_a_small_board_has_neither(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(**PORTRAIT).new_page()
    solo(page, width=9, height=9, mines=10)
    expect(page.locator(".minimap")).to_be_hidden()
    expect(page.get_by_role("button", name="Zoom in")).to_be_hidden()
    expect(page.get_by_role("button", name="Sound is off")).to_be_visible()


def test_a_desktop_gets_it_once_it_zooms_in(new_context: Callable[..., BrowserContext]) -> None:
    page = new_context(**DESKTOP).new_page()
    solo(page, width=30, height=16, mines=99)
    expect(page.locator(".minimap")).to_be_hidden()
    page.keyboard.press("+")
    page.keyboard.press("+")
    expect(page.locator(".minimap")).to_be_visible()
    page.keyboard.press("0")
    expect(page.locator(".minimap")).to_be_hidden()


@pytest.mark.parametrize("mode", ["race", "area-attack"])
def test_it_shows_what_others_do(
    site: RunningSite, new_context: Callable[..., BrowserContext], mode: str
) -> None:
    """Its picture is the board's: a cell that opens changes it."""
    options = {"width": 30, "height": 24, "mines": 99} if mode == "race" else {"size": 40}
    game = {"mode": mode, "kinds": ["guest", "guest"], "options": options}
    address, sessions = made(site, game)[0]
    pages = [new_context(**PORTRAIT).new_page() for _ in sessions]
    for page, key in zip(pages, sessions, strict=True):
        seated(site, page, address, key)
    page = pages[0]
    zoom = page.get_by_role("button", name="Zoom in")
    for _ in range(6):
        zoom.evaluate("button => button.click()")  # a question may lie over it
    minimap = page.locator(".minimap")
    expect(minimap).to_be_visible()
    picture = "map => map.querySelector('canvas').toDataURL()"
    page.wait_for_function("() => new Promise((done) => requestAnimationFrame(() => done(true)))")
    before = minimap.evaluate(picture)
    frame_of(page).evaluate("""({ board }) => {
      const next = { ...board.state.wanted, faces: board.state.wanted.faces.slice() };
      next.faces.fill(0, 0, 200);
      board.show(next);
    }""")
    page.wait_for_function(
        "before => document.querySelector('.minimap canvas').toDataURL() !== before", arg=before
    )


GENERIC = """async () => {
  const { createCellBoard } = await import("games/generic/board.js");
  const sheet = document.createElement("link");
  sheet.rel = "stylesheet";
  sheet.href = "/static/games/generic/style.css";
  const other = Object.assign(sheet.cloneNode(), { href: "/static/games/board.css" });
  const frame = document.createElement("div");
  frame.className = "board-frame";
  frame.style.cssText = "position: fixed; inset: 60px 10px 200px; z-index: 99; background: white";
  document.head.append(sheet, other);
  await Promise.all([sheet, other].map((one) => new Promise((done) => (one.onload = done))));
  document.body.append(frame);
  const [width, height] = [24, 20];
  const cells = Array(width * height).fill("hidden");
  const owners = cells.map(() => null);
  const texts = cells.map(() => "");
  createCellBoard(frame).show({ grid: "hex", width, height, cells, owners, texts });
}"""


def test_the_generic_board_has_one(
    site: RunningSite, new_context: Callable[..., BrowserContext]
) -> None:
    page = new_context(**PORTRAIT, bypass_csp=True).new_page()
    page.goto("/privacy/")
    page.evaluate(GENERIC)
    frame = page.locator(".board-frame")
    expect(page.locator(".minimap")).to_be_visible()
    press(page, 0.97, 0.97)
    at_end = "f => [f.scrollLeft + f.clientWidth, f.scrollTop + f.clientHeight]"
    whole = "f => [f.scrollWidth, f.scrollHeight]"
    assert frame.evaluate(at_end) == pytest.approx(frame.evaluate(whole), abs=2)
    # It stays in its corner, and the first row can be scrolled out from under it.
    box, map_box = frame.bounding_box(), page.locator(".minimap").bounding_box()
    assert box is not None
    assert map_box is not None
    assert map_box["x"] + map_box["width"] == pytest.approx(box["x"] + box["width"] - 4, abs=2)
    assert map_box["y"] == pytest.approx(box["y"] + 4, abs=2)
    press(page, 0.97, 0.03)
    top = page.locator("[data-cell='23']").bounding_box()
    map_box = page.locator(".minimap").bounding_box()
    assert top is not None
    assert map_box is not None
    assert top["y"] >= map_box["y"] + map_box["height"] - 1
    frame.evaluate("({ board }) => board.fit()")
    expect(page.locator(".minimap")).to_be_hidden()
