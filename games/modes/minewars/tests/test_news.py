"""The news on the match page: alerts, sales, money that lies about."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

# A player of empire 1 with cities 0 and 1; tiles 0 to 9 are in region a, 10 to 19 in b.
STAGE = """async () => {
  const { createNews } = await import("modes/minewars/news.js");
  const said = [];
  const mine = 1 << 5;
  const game = {
    empire: 1, names: ["Riverton", "Ashford", "Foxley"], cities: [0, 10, 20], links: [],
    banks: [{}, {}, null], unit: 100_000, late: 400_000, tiles: Array(30).fill(mine),
  };
  const clock = { time: 0 };
  const session = { view: { game }, time: () => clock.time };
  const money = [100_000, 100_000, 0];
  const legal = {
    regionOf: (cell) => (cell < 20 ? Math.floor(cell / 10) : -1),
    ownCities: () => [0, 1],
    money: (city) => money[city],
    isLate: (t) => t >= game.late,
    numbers: () => ({ late_siege_ms: 2000, late_strike_percent: 50 }),
  };
  const board = { state: { tiles: [...game.tiles] }, effect() {}, element: document.body };
  const notices = { say: (text, how = {}) => said.push([text, how.kind ?? "", how.key ?? ""]) };
  const page = { session, notices, sound: { play() {} }, flash() {} };
  const key = () => "C";
  const news = createNews({ page, board, nameOf: String, legal, key });
  news.start();
  window.stage = { news, said, game, clock, money, board };
}"""


@pytest.fixture
def stage(page: Page) -> Page:
    page.goto("/learn/minewars/")
    page.clock.install()
    page.evaluate(STAGE)
    return page


def said(page: Page) -> list[Any]:
    return page.evaluate("stage.said.splice(0)")


def test_land_that_is_lost_is_told_once_per_region(stage: Page):
    stage.evaluate("stage.news.losses([1, 64, 2, 64, 11, 64, 25, 64])")
    stage.clock.run_for(1000)
    stage.evaluate("stage.news.losses([3, 64])")
    assert said(stage) == []
    stage.clock.run_for(2500)
    assert said(stage) == [
        ["You lost 3 tiles near Riverton.", "warn", ""],
        ["You lost a tile near Ashford.", "warn", ""],
        ["You lost a tile.", "warn", ""],
    ]
    assert stage.evaluate("stage.news.alert") == 3


def test_roads_that_link_and_roads_that_are_cut(stage: Page):
    stage.evaluate("stage.news.tell({ type: 'links', links: [[0, 1]] })")
    stage.evaluate("stage.news.tell({ type: 'links', links: [] })")
    assert said(stage) == [
        ["Roads now link Riverton and Ashford: they share their money.", "good", ""],
        ["The road between Riverton and Ashford has been cut.", "bad", "C"],
    ]
    # With a city that was lost its roads are, too: that is told already.
    stage.evaluate("stage.news.tell({ type: 'links', links: [[0, 1]] })")
    stage.evaluate("stage.game.banks[1] = null")
    said(stage)
    stage.evaluate("stage.news.tell({ type: 'links', links: [] })")
    assert said(stage) == []


def test_money_that_lies_about_is_told_after_a_while_and_not_too_often(stage: Page):
    stage.evaluate("stage.money[1] = 3_000_000")
    for time in (1000, 44_000, 46_000, 60_000):
        stage.evaluate("time => { stage.clock.time = time; stage.news.tick(); }", time)
    assert said(stage) == [["Ashford has 3,000 to spend.", "", ""]]
    stage.evaluate(
        "stage.clock.time = 80_000; stage.news.tell({ type: 'ordered', action: 'deploy' })"
    )
    stage.evaluate("stage.clock.time = 100_000; stage.news.tick()")
    assert said(stage) == []


def test_the_late_phase_is_told_when_it_begins(stage: Page):
    for time in (399_999, 400_000, 400_200):
        stage.evaluate("time => { stage.clock.time = time; stage.news.tick(); }", time)
    (text, kind, _), *others = said(stage)
    assert text == "The late phase begins: sieges take 2 s, strikes cost 50% of their usual price."
    assert (kind, others) == ("warn", [])


def test_a_sale_says_what_was_sold(stage: Page):
    stage.evaluate("stage.board.state.tiles[5] |= 1 << 8")
    stage.evaluate("stage.news.tell({ type: 'sold', cells: [5], amount: 525_000 })")
    stage.evaluate("stage.news.tell({ type: 'sold', cells: [5, 6], amount: 1_050_000 })")
    assert [text for text, *_ in said(stage)] == ["+525 mine sold", "+1,050 for 2 items"]
