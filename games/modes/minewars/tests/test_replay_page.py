"""The replay of MineWars: the truth at every moment, and the plots under the scrubber."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.running_site import RunningSite
from tests.web.axe import serious_violations

ITEM, OWNER, DIGIT = 8, 5, 20
MOMENT = 6000


@pytest.fixture(scope="module")
def match(site: RunningSite) -> str:
    return site.python(
        "from games.modes.minewars.tests.finished import archived\nprint(archived('Ada', 'Grace'))"
    ).strip()


@pytest.fixture(scope="module")
def state(site: RunningSite, match: str) -> dict[str, Any]:
    """The engine's state at that moment: the true tiles, and every owner's digit and score."""
    return json.loads(
        site.python(
            "import json\n"
            "from games.live.match_state import MatchState\n"
            "from games.replay import replay\n"
            "from games.models import Match\n"
            "from games.modes.minewars.rules.digits import count\n"
            "from games.modes.minewars.rules.state import is_land\n"
            "from games.modes.minewars.rules.views import truth\n"
            f"entries = replay(Match.objects.get(pk='{match}')).entries\n"
            "course = MatchState(entries[0])\n"
            f"for entry in entries[1:]:\n    if entry.t - entries[0].t <= {MOMENT}:"
            " course.apply(entry)\n"
            "game = course.state.game\n"
            "digits = {c: count(game, o, c)[0] for c, o in enumerate(game.owner)"
            " if o and is_land(game, c)}\n"
            "scores = [[e.cities, e.tiles] for e in game.empires[1:]]\n"
            "print(json.dumps({'tiles': truth(game)['tiles'], 'digits': digits,"
            " 'scores': scores}))"
        )
    )


def opened(page: Page, match: str, view: str = "truth") -> Page:
    page.goto(f"/match/{match}/#t={MOMENT}&view={view}")
    expect(page.locator("#replay:not([aria-busy])")).to_be_visible()
    return page


def shown(page: Page) -> list[int]:
    return page.locator(".replay-board").evaluate("e => [...e.board.state.tiles]")


def test_the_truth_in_the_middle_of_a_match(page: Page, match, state):
    opened(page, match)
    tiles = shown(page)
    plain = ~(0b11111 << DIGIT)
    assert [code & plain for code in tiles] == state["tiles"]
    assert state["digits"]
    for cell, digit in state["digits"].items():
        assert (tiles[int(cell)] >> DIGIT & 15) - 1 == digit
    for seat, (cities, count) in enumerate(state["scores"]):
        score = page.locator(f"#score-{seat}")
        expect(score).to_have_text(f"{cities} {'city' if cities == 1 else 'cities'}, {count} tiles")
    # There and back again.
    page.locator("#scrub").evaluate("e => { e.value = 0; e.dispatchEvent(new Event('input')); }")
    assert shown(page) != tiles
    page.locator("#scrub").evaluate(
        "(e, t) => { e.value = t; e.dispatchEvent(new Event('input')); }", MOMENT
    )
    assert shown(page) == tiles


def test_each_seat_and_the_broadcast_know_less(page: Page, match, state):
    true = sum(code >> ITEM & 3 > 0 for code in state["tiles"])
    for view in ("0", "1", "public"):
        opened(page, match, view)
        known = sum(code >> ITEM & 3 > 0 for code in shown(page))
        assert known < true
        page.goto("about:blank")


def test_plots_follow_the_playhead_and_seek(page: Page, match, state):
    opened(page, match)
    plots = page.locator(".plot")
    expect(plots).to_have_count(3)
    expect(page.get_by_role("img", name="Tiles over time")).to_be_visible()
    row = page.get_by_role("table", name="At this moment").get_by_role("row", name="Ada")
    cities, tiles = state["scores"][0]
    assert abs(int(row.get_by_role("cell").nth(0).inner_text()) - tiles) < 10, "a moment before"
    expect(row.get_by_role("cell").nth(1)).to_have_text(str(cities))
    marker = page.locator(".plot-marker").first
    before = float(marker.get_attribute("x1"))
    box = plots.first.bounding_box()
    page.mouse.click(box["x"] + box["width"] * 0.75, box["y"] + box["height"] / 2)
    duration = float(page.locator("#scrub").get_attribute("max"))
    assert abs(float(page.locator("#scrub").input_value()) / duration - 0.75) < 0.01
    assert abs(float(marker.get_attribute("x1")) - 750) < 10 != before
    # All of it in words.
    page.get_by_text("The whole match as a table").click()
    table = page.locator(".plot-all")
    expect(table.get_by_role("columnheader", name="Money")).to_be_visible()
    expect(table.locator("tbody tr")).to_have_count(13)
    assert serious_violations(page) == []


def test_the_plots_on_a_phone(new_context, match):
    phone = new_context(viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True)
    page = opened(phone.new_page(), match)
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 360
    plot = page.locator(".plot").first
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + 20)
    duration = float(page.locator("#scrub").get_attribute("max"))
    assert abs(float(page.locator("#scrub").input_value()) / duration - 0.5) < 0.02
