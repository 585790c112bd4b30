// The miniature of a mode that brings none: two players share out a board.

import { around, spreading, tiles } from "../lobby/scenes.js";

export function scene() {
  const [columns, rows] = [13, 6];
  const near = (/** @type {number} */ cell) => around(cell, columns, rows);
  const { frames } = spreading([27, 50], near, 16, 11);
  return { columns, rows, begin: tiles(columns * rows, "hidden"), frames };
}
