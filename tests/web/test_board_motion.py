"""Waves over a board: what they hold back, and that they leave it as it is wanted."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.web.matches import frame_of, solo

# A wave over `cells` from cell 0, told frame by frame; a part of it changes again on the way.
WAVE = """
async ([count, again]) => {
  const motion = await import("games/board/motion.js");
  const state = motion.createMotion(count);
  const cells = Int32Array.from({ length: count }, (_, cell) => cell);
  const faces = new Uint8Array(count).fill(10);
  motion.startWave(state, cells, { columns: 20, origin: 0, kind: "open", now: 1000, faces });
  const told = [];
  let frames = 0;
  for (let now = 1000; motion.isMoving(state); now += 16) {
    if (frames === 5) motion.forget(state, again);
    const tell = (cell) => told.push([frames, cell]);
    motion.advance(state, now, tell, tell);
    if (++frames > 1000) throw new Error("it never ends");
  }
  return { frames, told, resting: state.lifts.every((lift) => lift === 0) };
}
"""

# Two pictures, the second one while the first is on its way.
SHOW_TWICE = """
async (frame) => {
  const { board } = frame;
  const { width, height } = board.state.wanted;
  const all = (value) => new Uint8Array(width * height).fill(value);
  const picture = (face, owner) => ({ width, height, faces: all(face), owners: all(owner) });
  const seen = () => new Promise((done) => requestAnimationFrame(done));
  board.show(picture(15, 1), { wave: "claim", origin: 0 });
  while (!board.state.shown.faces.includes(15)) await seen();
  const second = picture(15, 1);
  for (let cell = 0; cell < width * height; cell += 2) {
    [second.faces[cell], second.owners[cell]] = [10, 255];
  }
  board.show(second, { wave: "close", origin: width * height - 1 });
  while (board.state.motion.waves.length || board.state.motion.effects.length) await seen();
  const { shown, motion } = board.state;
  const same = (a, b) => a.every((value, i) => value === b[i]);
  const resting = motion.lifts.every((lift) => lift === 0);
  return [same(shown.faces, second.faces), same(shown.owners, second.owners), resting];
}
"""

# The number of drawn cells while so many of 10,000 open in a wave.
DRAWN = """
async (count) => {
  const { createBoard } = await import("games/board/board.js");
  const next = () => new Promise((done) => requestAnimationFrame(done));
  const still = async () => {
    for (let frame = 0; frame < 5; frame++) await next(); // it measures itself in the first
  };
  const frame = document.createElement("div");
  frame.style.cssText = "position:fixed;inset:0;z-index:9";
  document.body.append(frame);
  const board = createBoard(frame, { prefs: { animations: true } });
  const cells = (value) => new Uint8Array(10_000).fill(value);
  board.show({ width: 100, height: 100, faces: cells(10), owners: cells(255) });
  await still();
  const before = { ...board.state.drawn };
  const faces = cells(10).map((_, cell) => (cell < count ? cell % 4 : 10));
  board.show({ width: 100, height: 100, faces, owners: cells(255) }, { wave: "open" });
  while (board.state.motion.waves.length) await still();
  await still();
  board.destroy();
  frame.remove();
  return board.state.drawn.cells - before.cells;
}
"""


@pytest.fixture(scope="module")
def board(browser, site) -> Page:
    page = browser.new_context(base_url=site.url).new_page()
    solo(page, width=40, height=40, mines=100)
    return page


@pytest.mark.parametrize("count", [100, 400], ids=["small", "flood"])
def test_a_wave_reaches_every_cell_but_those_that_changed_again(board: Page, count: int):
    late = [count - 1, count - 2]
    wave = board.evaluate(WAVE, [count, late])
    assert {cell for _, cell in wave["told"]} == set(range(count)) - set(late)
    first = {cell: frame for frame, cell in reversed(wave["told"])}
    assert first[0] < first[10] < first[count - 3]
    assert wave["resting"]
    assert wave["frames"] * 16 < 1000


def test_a_picture_that_comes_into_a_wave_is_what_the_board_shows(board: Page):
    assert board.evaluate(SHOW_TWICE, frame_of(board).element_handle()) == [True] * 3


def test_not_one_cell_is_drawn_that_did_not_change(board: Page):
    assert board.evaluate(DRAWN, 200) == 200
    # In a flood each goes through a few pictures; all cells in each frame would be 400,000.
    assert 9_000 <= board.evaluate(DRAWN, 9_000) <= 7 * 9_000
