import { spreading, tiles } from "games/lobby/scenes.js";

/** @import { Scene, Tile } from "games/lobby/types.d.ts" */

/** @param {number} cell @param {number} columns @param {number} rows */
function hexes(cell, columns, rows) {
  const [x, y] = [cell % columns, Math.floor(cell / columns)];
  const odd = y % 2;
  const steps = [
    [1, 0],
    [-1, 0],
    [odd, 1],
    [odd - 1, 1],
    [odd, -1],
    [odd - 1, -1],
  ];
  return steps
    .map(([dx, dy]) => [x + dx, y + dy])
    .filter(([a, b]) => a >= 0 && a < columns && b >= 0 && b < rows)
    .map(([a, b]) => b * columns + a);
}

/** @returns {Scene} */
export function scene() {
  const [columns, rows] = [12, 7];
  const lake = [5, 17, 29, 40, 66, 78, 79];
  /** @param {number} cell */
  const near = (cell) => hexes(cell, columns, rows).filter((other) => !lake.includes(other));
  const { frames } = spreading([26, 57], near, 15, 3);
  /** @type {Tile[]} */
  const begin = tiles(columns * rows, "land");
  for (const cell of lake) begin[cell] = { tile: "sea" };
  for (const cell of [26, 57, 9]) begin[cell] = { tile: "land", mark: "city" };
  frames[0] = frames[0].map((change) => ({ ...change, mark: "city" }));
  return { columns, rows, shape: "hex", begin, frames };
}
