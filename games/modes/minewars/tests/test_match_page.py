"""MineWars between browsers on a small island: orders by mouse, finger and keyboard."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect

from tests.running_site import RunningSite
from tests.web.axe import serious_violations
from tests.web.matches import at, click, fingers_of, frame_of, made, seated

OPTIONS = {
    "radius": 14,
    "cities": 3,
    "ban_seconds": 0,
    "limit_seconds": 600,
    "mine_percent": 24,
    "decoy_percent": 4,
    "price_percent": 20,
}
GAME = {"mode": "minewars", "kinds": ["guest", "guest"], "options": OPTIONS, "seed": "8e" * 32}
"""A small board on which every digit next to a start is above 0."""
PICTURES = os.environ.get("TRIAL_PICTURES")

KIND, OWNER, ITEM, PENDING, DIGIT, FLAG = 0, 5, 8, 17, 20, 28


def part(code: int, where: int, bits: int = 3) -> int:
    return code >> where & (1 << bits) - 1


def tiles(page: Page) -> list[int]:
    return frame_of(page).evaluate("frame => [...frame.board.state.tiles]")


def neighbours(page: Page) -> list[list[int]]:
    return frame_of(page).evaluate("frame => frame.board.state.topo.neighbours")


def cities(page: Page) -> list[int]:
    return frame_of(page).evaluate("frame => [...frame.board.state.cities]")


def picture(page: Page, name: str) -> None:
    if PICTURES:
        page.wait_for_timeout(500)
        page.screenshot(path=Path(PICTURES) / f"{name}.png")


def wait_for_tile(page: Page, cell: int, where: int, value: int, bits: int = 3) -> None:
    page.wait_for_function(
        "([frame, cell, where, value, mask]) =>"
        " ((frame.board.state.tiles[cell] >> where) & mask) === value",
        arg=[frame_of(page).element_handle(), cell, where, value, (1 << bits) - 1],
    )


def targets(page: Page, tool: str) -> list[int]:
    """Arm a tool; the tiles that glow."""
    page.locator(f"[data-tool={tool}]").click()
    return frame_of(page).evaluate("frame => frame.board.state.marks.targets ?? []")


def empire_of(page: Page) -> int:
    return frame_of(page).evaluate("frame => frame.board.state.look.you")


def frontier(page: Page) -> list[int]:
    """Land beside one's own, unflagged and nobody's."""
    seen, around, mine = tiles(page), neighbours(page), empire_of(page)
    towns = set(cities(page))
    return [
        cell
        for cell, code in enumerate(seen)
        if part(code, OWNER) == 0
        and 1 <= part(code, KIND) <= 4
        and cell not in towns
        and any(part(seen[n], OWNER) == mine for n in around[cell])
    ]


def is_taken(page: Page, press: Callable[[int], Any]) -> int:
    """Capture until a tile is taken; a mine on the way stuns for a while."""
    for cell in frontier(page)[:8]:
        press(cell)
        page.wait_for_function(
            "([{ board: { state } }, cell]) => ((state.tiles[cell] >> 5) & 7) === state.look.you"
            " || document.querySelector('.war-effect.is-stunned:not([hidden])')",
            arg=[frame_of(page).element_handle(), cell],
        )
        if part(tiles(page)[cell], OWNER) == empire_of(page):
            return cell
        expect(page.locator(".war-effect.is-stunned")).to_be_hidden()
    raise AssertionError("nothing could be captured")


def test_two_browsers_capture_lay_build_and_strike(site: RunningSite, new_context):
    address, sessions = made(site, GAME)[0]
    ann, bob = (new_context().new_page() for _ in range(2))
    for page, key in zip((ann, bob), sessions, strict=True):
        seated(site, page, address, key)
    expect(ann.locator(".war-city")).to_have_count(1)
    picture(ann, "start-desktop-light")

    taken = is_taken(ann, lambda cell: click(ann, cell))
    assert part(tiles(bob)[taken], OWNER) == 0, "what lies in fog has no owner"
    picture(ann, "captured-desktop-light")

    # A tool's title tells its price here; a tool without a place is grey and says so.
    tool = ann.locator("[data-tool=mine]")
    expect(tool).not_to_have_class(re.compile("is-poor"))
    expect(tool).to_have_attribute("title", re.compile(r"^Mine: costs \d+\. Stuns"))
    clear = ann.locator("[data-tool=clear]")
    expect(clear).to_have_class(re.compile("is-poor"))
    expect(clear).to_have_attribute("title", re.compile("There’s nowhere to use this yet"))

    # A mine on own land; the price leaves the bank.
    mine = targets(ann, "mine")[0]
    click(ann, mine)
    wait_for_tile(ann, mine, ITEM, 1, 2)
    ann.keyboard.press("Escape")

    # A road and a tower are built; what is under way stands on the city's card.
    spot = targets(ann, "tower")[0]
    click(ann, spot)
    wait_for_tile(ann, spot, PENDING, 3)
    expect(ann.locator(".war-job").first).to_contain_text("tower")
    road = targets(ann, "road")
    click(ann, road[0])
    ann.get_by_role("button", name="Build").click()
    wait_for_tile(ann, road[0], PENDING, 1)
    picture(ann, "building-desktop-light")

    # The card cancels what is not built yet.
    ann.locator(".war-queue").get_by_role("button", name="Cancel: road").click()
    wait_for_tile(ann, road[0], PENDING, 0)

    # A strike on two tiles shows its price, and fires with Enter.
    ann.locator("[data-tool=strike]").click()
    edge = [cell for cell in frontier(ann) if part(tiles(ann)[cell], KIND) in (1, 2)][:2]
    for cell in edge:
        click(ann, cell)
    expect(ann.locator(".war-order")).to_contain_text("2 tiles")
    picture(ann, "strike-desktop-light")
    ann.keyboard.press("Enter")
    for cell in edge:
        wait_for_tile(ann, cell, KIND, 3)

    # A flag by right click, and a reload keeps everything.
    edge = frontier(ann)
    click(ann, edge[-1], button="right")
    wait_for_tile(ann, edge[-1], FLAG, 1, 1)
    ann.reload()
    expect(ann.locator(".war-city")).to_have_count(1)
    assert part(tiles(ann)[edge[-1]], FLAG, 1) == 1
    assert part(tiles(ann)[mine], ITEM, 2) == 1

    # The client says why it refuses something.
    ann.locator("[data-tool=mine]").click()
    click(ann, edge[0])
    expect(ann.locator(".notices")).to_contain_text("That isn’t your land.")
    ann.evaluate("document.documentElement.dataset.theme = 'dark'")
    picture(ann, "desktop-dark")


def test_a_phone_plays_by_touch_alone(site: RunningSite, new_context):
    address, sessions = made(site, GAME)[0]
    size = {"width": 390, "height": 844}
    phone = new_context(viewport=size, is_mobile=True, has_touch=True, device_scale_factor=2)
    page = seated(site, phone.new_page(), address, sessions[0])
    seated(site, new_context().new_page(), address, sessions[1])
    # It begins at home, with tiles for a finger; the whole map is a button away.
    size_of = "frame => frame.board.place(0).size"
    expect(page.locator(".war-city")).to_have_count(1)
    assert frame_of(page).evaluate(size_of) >= 28
    home = next(c for c in cities(page) if part(tiles(page)[c], OWNER) == empire_of(page))
    x, y = at(page, home)
    assert 60 < x < 330
    assert 150 < y < 650
    picture(page, "start-phone-light")
    page.get_by_role("button", name="Whole map").tap()
    assert frame_of(page).evaluate(size_of) < 28
    page.touchscreen.tap(*at(page, home))  # too small to be meant: it comes near first
    assert frame_of(page).evaluate(size_of) >= 28

    def tap(cell: int) -> None:
        frame_of(page).evaluate("(frame, cell) => frame.board.look(cell)", cell)
        page.touchscreen.tap(*at(page, cell))

    is_taken(page, tap)
    picture(page, "captured-phone-light")
    fingers = fingers_of(page)
    # A structure waits for a second tap or the button.
    spot = targets(page, "tower")[0]
    tap(spot)
    build = page.get_by_role("button", name="Build")
    expect(build).to_be_visible()
    assert part(tiles(page)[spot], PENDING) == 0
    picture(page, "tick-phone-light")
    build.tap()
    wait_for_tile(page, spot, PENDING, 3)
    # A long press opens the menu.
    frame_of(page).evaluate("(frame, cell) => frame.board.look(cell)", home)
    fingers("touchStart", at(page, neighbours(page)[home][0]))
    expect(page.get_by_role("menu", name="Orders for this tile")).to_be_visible()
    fingers("touchEnd")
    picture(page, "menu-phone-light")
    page.get_by_role("menuitem", name="Close").tap()
    expect(page.get_by_role("menu", name="Orders for this tile")).to_be_hidden()
    # Two fingers zoom, one drags.
    before = frame_of(page).evaluate("frame => frame.board.place(0)")
    fingers("touchStart", (150, 400), (250, 400))
    fingers("touchMove", (120, 400), (280, 400))
    fingers("touchEnd")
    after = frame_of(page).evaluate("frame => frame.board.place(0)")
    assert after["size"] > before["size"] * 1.2
    fingers("touchStart", (200, 400))
    fingers("touchMove", (240, 440))
    fingers("touchMove", (260, 460))
    fingers("touchEnd")
    moved = frame_of(page).evaluate("frame => frame.board.place(0)")
    assert moved["x"] > after["x"]
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    picture(page, "phone-dark")


def test_a_drag_draws_a_road_to_where_it_ends(site: RunningSite, new_context):
    address, sessions = made(site, GAME)[0]
    page = seated(site, new_context().new_page(), address, sessions[0])
    seated(site, new_context().new_page(), address, sessions[1])
    expect(page.locator(".war-city")).to_have_count(1)
    land = targets(page, "road")
    order = page.locator(".war-order")

    def distance(cell: int) -> int:
        return frame_of(page).evaluate(
            "(frame, [a, b]) => frame.board.state.topo.distance(a, b)", [land[0], cell]
        )

    # Around the city, from one side of it to the other. The browser may report the end alone.
    far = max(land, key=distance)
    mouse = page.context.new_cdp_session(page)
    x, y = at(page, far)
    page.mouse.move(*at(page, land[0]))
    page.mouse.down()
    released = {"type": "mouseReleased", "x": x, "y": y, "button": "left", "clickCount": 1}
    mouse.send("Input.dispatchMouseEvent", released)
    expect(order).to_contain_text("3 tiles")

    # Beyond one's own land the road stays as far as it came.
    page.keyboard.press("Escape")
    page.mouse.move(*at(page, land[0]))
    page.mouse.down()
    page.mouse.move(x, y)
    page.mouse.move(*at(page, max(frontier(page), key=distance)))
    page.mouse.up()
    expect(order).to_contain_text("3 tiles")
    page.get_by_role("button", name="Build").click()
    wait_for_tile(page, far, PENDING, 1)


def test_a_menu_around_a_tile_has_what_is_legal_there(site: RunningSite, new_context):
    address, sessions = made(site, GAME)[0]
    page = seated(site, new_context().new_page(), address, sessions[0])
    seated(site, new_context().new_page(), address, sessions[1])
    expect(page.locator(".war-city")).to_have_count(1)
    menu = page.get_by_role("menu", name="Orders for this tile")

    def hold(cell: int) -> None:
        page.mouse.move(*at(page, cell))
        page.mouse.down(button="right")
        expect(menu).to_be_visible()
        page.mouse.up(button="right")

    # On own land one lays and builds; the centre closes.
    own = targets(page, "mine")[0]
    page.keyboard.press("Escape")
    hold(own)
    assert part(tiles(page)[own], FLAG, 1) == 0, "only a short right click flags"
    orders = [one.get_attribute("data-order") for one in menu.locator("[data-order]").all()]
    assert {"mine", "decoy", "flashbang", "flag"} <= set(orders)
    assert not {"strike", "smoke", "reveal"} & set(orders)
    assert serious_violations(page) == []
    picture(page, "menu-desktop-light")
    menu.get_by_role("menuitem", name="Close").click()
    expect(menu).to_be_hidden()
    hold(own)
    menu.locator("[data-order=mine]").click()
    expect(menu).to_be_hidden()
    wait_for_tile(page, own, ITEM, 1, 2)

    # Beyond it one captures and strikes; Escape closes, and arrows go around.
    hold(frontier(page)[0])
    orders = [one.get_attribute("data-order") for one in menu.locator("[data-order]").all()]
    assert {"capture", "strike", "flag"} <= set(orders)
    assert "mine" not in orders
    page.keyboard.press("ArrowRight")
    expect(menu.locator("[data-order=capture]")).to_be_focused()
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()

    # ? explains the keys.
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    expect(keys).to_contain_text("Flashbang")
    assert serious_violations(page) == []
    picture(page, "keys-desktop-light")
    page.evaluate("document.documentElement.dataset.theme = 'dark'")
    picture(page, "keys-desktop-dark")
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    hold(own)
    picture(page, "menu-desktop-dark")


def test_space_shows_the_digits_of_others_as_far_as_they_are_known(site: RunningSite, new_context):
    address, sessions = made(site, GAME)[0]
    page = seated(site, new_context().new_page(), address, sessions[0])
    seated(site, new_context().new_page(), address, sessions[1])
    page.get_by_role("grid", name="Map").focus()
    page.keyboard.down(" ")
    page.keyboard.up(" ")
    # Land of others: a mine and a decoy of one's own beside it, and land in fog.
    found = page.evaluate(
        """async () => {
          const { foreignDigits } = await import("modes/minewars/digits.js");
          const { createTopology } = await import("modes/minewars/topology.js");
          const topo = createTopology("hex", 2);
          const full = 1 | (2 << 3);
          const tiles = Array(topo.size).fill(full | (1 << 5));
          const [a, b, c] = topo.neighbours[topo.middle];
          tiles[topo.middle] = 1 | (1 << 3) | (2 << 5);
          tiles[a] |= 1 << 8;
          tiles[b] |= 2 << 8;
          const closed = foreignDigits(topo, tiles, 1, false);
          tiles[c] = 1;
          const open = foreignDigits(topo, tiles, 1, false);
          return [...closed, ...open].map((one) => ({ ...one, cell: 0 }));
        }"""
    )
    known = {"cell": 0, "digit": 2, "star": True, "open": False}
    assert found == [known, {**known, "open": True}]


def test_keys_alone_are_enough(site: RunningSite, new_context):
    address, sessions = made(site, GAME)[0]
    page = seated(site, new_context().new_page(), address, sessions[0])
    seated(site, new_context().new_page(), address, sessions[1])
    grid = page.get_by_role("grid", name="Map")
    grid.focus()
    current = (
        "frame => document.getElementById("
        "frame.querySelector('[role=grid]').getAttribute('aria-activedescendant')).textContent"
    )

    def press(cell: int) -> None:
        # N goes from one tile that can be captured to the next.
        for _ in range(60):
            if frame_of(page).evaluate("frame => frame.board.state.cursor") == cell:
                break
            page.keyboard.press("n")
        page.keyboard.press("Enter")

    taken = is_taken(page, press)
    assert frame_of(page).evaluate("frame => frame.board.state.cursor") == taken
    assert ", yours" in frame_of(page).evaluate(current)
    # 3 arms the mine; the cursor goes home with T.
    page.keyboard.press("3")
    expect(page.locator("[data-tool=mine]")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("t")
    page.keyboard.press("ArrowRight")
    assert "land, yours" in frame_of(page).evaluate(current).lower()
    page.keyboard.press("Enter")
    cursor = frame_of(page).evaluate("frame => frame.board.state.cursor")
    wait_for_tile(page, cursor, ITEM, 1, 2)
    page.keyboard.press("Escape")
    expect(page.locator("[data-tool=capture]")).to_have_attribute("aria-pressed", "true")
    # X moves the cursor, so the tool that clears has a key of its own.
    page.keyboard.press("x")
    assert frame_of(page).evaluate("frame => frame.board.state.cursor") != cursor
    page.keyboard.press("d")
    expect(page.locator("[data-tool=clear]")).to_have_attribute("aria-pressed", "true")
    assert serious_violations(page) == []


def test_a_spectator_sees_no_secret_and_the_replay_everything(site: RunningSite, new_context):
    options = {**OPTIONS, "radius": 9, "limit_seconds": 20}
    address, sessions = made(site, {**GAME, "options": options})[0]
    ann, bob, eve = (new_context().new_page() for _ in range(3))
    for page, key in zip((ann, bob), sessions, strict=True):
        seated(site, page, address, key)
    eve.goto(address)

    expect(ann.locator(".war-city")).to_have_count(1)
    secret = [code for code in tiles(eve) if part(code, ITEM, 2) or part(code, DIGIT, 4)]
    assert secret == []
    assert any(part(code, ITEM, 2) for code in tiles(ann)) is False

    for page in (ann, bob, eve):
        expect(page.get_by_role("dialog", name="Result")).to_be_visible()
    assert any(part(code, ITEM, 2) for code in tiles(eve)), "now everything is disclosed"
    picture(ann, "result-desktop-light")

    ann.get_by_role("link", name="Replay").click()
    grid = ann.get_by_role("grid", name="Map")
    expect(grid).to_be_visible()
    for view in ("Public", "Truth"):
        ann.get_by_role("button", name=view).click()
        expect(grid).to_be_visible()
    ann.locator("#back").click()
    expect(ann.locator("#score-0")).to_contain_text("city")
    picture(ann, "replay-desktop-light")
