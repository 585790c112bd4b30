import assert from "node:assert/strict";
import { test } from "node:test";

import {
  cellAt,
  centre,
  createViewport,
  fit,
  isCrowded,
  isWhole,
  pan,
  resize,
  reveal,
  visible,
  zoomTo,
} from "games/board/viewport.js";

function board(columns, rows, width, height, options = {}) {
  const view = Object.assign(createViewport(), { columns, rows });
  resize(view, width, height, options.ratio ?? 1, options);
  return view;
}

test("a board fits its window, in whole pixels, in the middle", () => {
  const view = board(30, 16, 1000, 600);
  assert.equal(view.cell, 33);
  assert.ok(isWhole(view));
  assert.deepEqual([view.x, view.y], [5, 36]);
  assert.equal(cellAt(view, view.x + 33, view.y + 1), 1);
  assert.equal(cellAt(view, view.x - 1, view.y + 1), -1);
});

test("on a phone, cells are large enough for a finger", () => {
  const mouse = board(30, 16, 360, 600);
  const finger = board(30, 16, 360, 600, { touch: true });
  assert.equal(mouse.cell, 12);
  assert.equal(finger.cell, 32);
  assert.ok(!isWhole(finger));
});

test("the point under the pointer stays there while zooming", () => {
  const view = board(100, 100, 800, 800);
  for (const size of [20, 41, 64]) {
    const before = cellAt(view, 300, 500);
    zoomTo(view, size, 300, 500);
    assert.equal(cellAt(view, 300, 500), before);
  }
  zoomTo(view, 1, 0, 0);
  assert.ok(isWhole(view), "no smaller than the whole board");
});

test("panning ends at the edge", () => {
  const view = board(100, 100, 800, 800);
  zoomTo(view, 40, 0, 0);
  pan(view, 10_000, -10_000);
  assert.deepEqual([view.x, view.y], [0, 800 - 100 * view.cell]);
  assert.deepEqual(visible(view), { left: 0, top: 80, right: 20, bottom: 100 });
});

test("a cell is brought into sight, with one to spare", () => {
  const view = board(100, 100, 800, 800);
  zoomTo(view, 40, 0, 0);
  reveal(view, 50 * 100 + 50);
  const { left, top, right, bottom } = visible(view);
  assert.ok(left <= 49 && right >= 52 && top <= 49 && bottom >= 52);
  centre(view, 0);
  assert.deepEqual([view.x, view.y], [0, 0]);
});

test("a window that changes its size keeps what it shows", () => {
  const view = board(100, 100, 800, 800);
  zoomTo(view, 40, 0, 0);
  centre(view, 5050);
  resize(view, 500, 900, 1, {});
  assert.equal(cellAt(view, 250, 450), 5050);
  fit(view);
  assert.ok(isWhole(view));
});

test("cells under the minimap can be drawn out from under it", () => {
  const view = board(100, 100, 800, 800);
  zoomTo(view, 40, 0, 0);
  view.head = 60;
  pan(view, 0, 10_000);
  assert.equal(view.y, 60);
  // A board that is only too wide moves down, if there is room.
  const wide = board(30, 10, 600, 800);
  zoomTo(wide, 40, 0, 0);
  wide.head = 250;
  pan(wide, -50, 0);
  assert.equal(wide.y, 250);
  fit(wide);
  assert.ok(isWhole(wide));
  assert.equal(wide.y, 300, "there is no minimap then");
});

test("a board is crowded where all of it is too small for a finger", () => {
  assert.ok(isCrowded(board(16, 16, 360, 500)));
  assert.ok(!isCrowded(board(9, 9, 360, 500)));
  assert.ok(!isCrowded(board(9, 9, 720, 1000, { ratio: 2 })));
});
