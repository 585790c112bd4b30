"""Help for beginners, and settings of regulars: hints, keys, and how orders ask first."""

from __future__ import annotations

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.running_site import RunningSite
from tests.web.axe import serious_violations
from tests.web.matches import at, click, frame_of, made, saves, seated

from .test_match_page import GAME, cities, frontier, is_taken, neighbours, targets, wait_for_tile

OPEN = {**GAME, "seed": "06" * 32}
"""Both players begin next to land that a 0 proves to be safe."""


def begun(site: RunningSite, context: BrowserContext, new_context, game=GAME) -> Page:
    """A page of the first player in a new match; the other one is there too."""
    address, sessions = made(site, game)[0]
    page = seated(site, context.new_page(), address, sessions[0])
    seated(site, new_context().new_page(), address, sessions[1])
    expect(page.locator(".war-city")).to_have_count(1)
    return page


def test_hints_come_one_by_one_and_go_when_done_or_dismissed(site: RunningSite, new_context):
    context = new_context()
    page = begun(site, context, new_context, OPEN)
    hint = page.get_by_role("note", name="Hint")
    expect(hint).to_contain_text("Click land next to yours")
    framed = frame_of(page).evaluate("frame => frame.board.state.marks.frames[0].cell")
    assert framed in frontier(page)
    assert serious_violations(page) == []
    is_taken(page, lambda cell: click(page, cell))
    expect(hint).to_contain_text("A digit counts the items")
    hint.get_by_role("button", name="Got it").click()
    expect(hint).not_to_contain_text("A digit counts")
    # A hint that was learnt is not told again; the others are.
    again = begun(site, context, new_context)
    expect(again.locator(".war-tools")).to_be_visible()
    expect(again.get_by_text("Click land next to yours")).to_have_count(0)
    expect(again.get_by_text("A digit counts the items")).to_have_count(0)


def test_hints_can_be_switched_off_for_good(site: RunningSite, new_context):
    context = new_context()
    page = begun(site, context, new_context)
    hint = page.get_by_role("note", name="Hint")
    with page.expect_response(saves("hints")):
        hint.get_by_role("button", name="No more hints").click()
    expect(hint).to_be_hidden()
    page.reload()
    expect(page.locator(".war-tools")).to_be_visible()
    # The settings bring them back.
    page.get_by_role("button", name="Settings").click()
    switch = page.get_by_role("switch", name="Hints in the first matches")
    expect(switch).not_to_be_checked()
    switch.check()
    page.keyboard.press("Escape")
    expect(page.get_by_role("note", name="Hint")).to_be_visible()


def test_the_fourth_match_has_no_hints(site: RunningSite, new_context):
    context = new_context()
    context.add_init_script(
        "const had = location.protocol !== 'http:' || localStorage.getItem('minewars-hints');"
        "had || localStorage.setItem('minewars-hints',"
        " JSON.stringify({ matches: ['a', 'b', 'c'], seen: [] }))"
    )
    page = begun(site, context, new_context)
    page.wait_for_function(
        "() => JSON.parse(localStorage['minewars-hints'] ?? '{}').matches?.length === 4"
    )
    expect(page.get_by_role("note", name="Hint")).to_be_hidden()


def test_keys_are_changed_kept_and_reset(site: RunningSite, new_context):
    context = new_context()
    page = begun(site, context, new_context)
    page.keyboard.press("?")
    keys = page.get_by_role("dialog", name="Keys")
    status = keys.get_by_role("status")
    strike = keys.get_by_role("button", name="Strike: ")
    strike.click()
    page.keyboard.press("3")
    expect(status).to_have_text("3 is already the key for “Mine”.")
    strike.click()
    page.keyboard.press("w")
    expect(status).to_have_text("W is already used for something else.")
    strike.click()
    page.keyboard.press("Escape")
    expect(keys).to_be_visible()
    expect(strike).to_have_text("2")
    strike.click()
    with page.expect_response(saves("keys")):
        page.keyboard.press("s")
    expect(strike).to_have_text("S")
    assert serious_violations(page) == []
    page.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    page.keyboard.press("2")
    armed = page.locator(".war-tool[aria-pressed=true]")
    expect(armed).to_have_attribute("data-tool", "capture")
    # The account keeps it: a reload, then the settings page, which must not lose it.
    page.reload()
    expect(page.locator("[data-tool=strike] kbd")).to_have_text("S")
    page.keyboard.press("s")
    expect(armed).to_have_attribute("data-tool", "strike")
    other = context.new_page()
    other.goto("/accounts/settings/")
    other.get_by_role("button", name="Save").click()
    page.reload()
    expect(page.locator("[data-tool=strike] kbd")).to_have_text("S")
    page.get_by_role("button", name="Settings").click()
    page.get_by_role("button", name="Keys…").click()
    page.get_by_role("button", name="Reset keys").click()
    expect(page.locator("[data-tool=strike] kbd")).to_have_text("2")


def test_tab_goes_from_city_to_city_for_the_mouse_and_leaves_the_map_for_the_keyboard(
    site: RunningSite, new_context
):
    page = begun(site, new_context(), new_context)
    home = next(
        c
        for c in cities(page)
        if frame_of(page).evaluate(
            "(frame, c) => ((frame.board.state.tiles[c] >> 5) & 7) === frame.board.state.look.you",
            c,
        )
    )
    grid = page.get_by_role("grid", name="Map")
    click(page, neighbours(page)[home][0])
    page.keyboard.press("Tab")
    assert frame_of(page).evaluate("frame => frame.board.state.cursor") == home
    expect(grid).to_be_focused()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Tab")
    expect(grid).not_to_be_focused()


@pytest.mark.parametrize("asks", [True, False])
def test_a_strike_by_touch_asks_first_unless_told_otherwise(site: RunningSite, new_context, asks):
    phone = new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    page = begun(site, phone, new_context)
    if not asks:
        page.get_by_role("button", name="Settings").tap()
        page.get_by_role("switch", name="ask before a strike").uncheck()
        page.get_by_role("button", name="Close").tap()
    page.get_by_role("button", name="No more hints").tap()
    cell = frontier(page)[0]
    page.locator("[data-tool=strike]").tap()
    page.touchscreen.tap(*at(page, cell))
    if asks:
        page.get_by_role("button", name="Fire").tap()
    wait_for_tile(page, cell, 0, 3)


def test_a_press_beside_the_menu_only_closes_it(site: RunningSite, new_context):
    page = begun(site, new_context(), new_context)
    menu = page.get_by_role("menu", name="Orders for this tile")
    own, beside = targets(page, "mine")[0], frontier(page)[-1]
    for button in ("right", "left"):
        page.mouse.move(*at(page, own))
        page.mouse.down(button="right")
        expect(menu).to_be_visible()
        page.mouse.up(button="right")
        # The far corner of the map, or the tile itself where the menu leaves it free.
        page.mouse.click(*at(page, beside), button=button)
        expect(menu).to_be_hidden()
    assert frame_of(page).evaluate("(f, c) => f.board.state.tiles[c] >> 28 & 1", beside) == 0
    assert frame_of(page).evaluate("f => f.board.state.marks.sent.length") == 0


def test_the_menu_pings_for_allies(site: RunningSite, new_context):
    """In Duos; those without an ally have no ping in their menu."""
    options = {"preset": "duos", "radius": 12, "cities": 4, "ban_seconds": 0}
    game = {"mode": "minewars", "kinds": ["guest"] * 4, "options": options}
    address, sessions = made(site, game)[0]
    page, ally = (
        seated(site, new_context().new_page(), address, key) for key in (sessions[0], sessions[1])
    )
    expect(page.locator(".war-city")).to_have_count(1)
    for one in (page, ally):
        frame_of(one).evaluate(
            "frame => frame.board.on('ping', ({ cell }) => (window.pinged = cell))"
        )
    own = targets(page, "mine")[0]
    page.mouse.move(*at(page, own))
    page.mouse.down(button="right")
    menu = page.get_by_role("menu", name="Orders for this tile")
    expect(menu).to_be_visible()
    page.mouse.up(button="right")
    menu.get_by_role("menuitem", name="Ping").click()
    for one in (page, ally):
        one.wait_for_function("cell => window.pinged === cell", arg=own)
