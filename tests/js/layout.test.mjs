import assert from "node:assert/strict";
import { test } from "node:test";

import { centre, extent, step } from "games/generic/layout.js";

const square = { grid: "square", width: 3, height: 3, cells: Array(9).fill("hidden") };

test("arrow keys stay on the board and step over gaps", () => {
  assert.equal(step(square, 0, "ArrowRight"), 1);
  assert.equal(step(square, 0, "ArrowLeft"), 0);
  assert.equal(step(square, 8, "ArrowUp"), 5);
  const holed = { ...square, cells: square.cells.with(4, "void") };
  assert.equal(step(holed, 3, "ArrowRight"), 5);
  assert.equal(step(square, 0, "x"), null);
});

test("Home and End go along the row, or to the corners", () => {
  assert.equal(step(square, 4, "Home"), 3);
  assert.equal(step(square, 4, "End"), 5);
  assert.equal(step(square, 4, "Home", true), 0);
  assert.equal(step(square, 4, "End", true), 8);
});

test("hexagons of odd rows stand half a cell to the right, within the board", () => {
  const hex = { grid: "hex", width: 2, height: 3 };
  assert.equal(centre(hex, 2).x - centre(hex, 0).x, 50);
  const { across, down } = extent(hex);
  for (let cell = 0; cell < 6; cell++) {
    const { x, y } = centre(hex, cell);
    assert.ok(x >= 50 && x <= across - 50 + 1e-9 && y > 0 && y < down);
  }
});
