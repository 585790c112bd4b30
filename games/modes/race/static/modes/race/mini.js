import { clearing, tiles } from "games/lobby/scenes.js";

/** @import { Scene } from "games/lobby/types.d.ts" */

/**
 * The same board twice, cleared at two speeds.
 * @returns {Scene}
 */
export function scene() {
  const [columns, rows, half] = [13, 6, 6];
  const mines = [2, 11, 16, 21, 28, 33];
  const safe = [...Array(half * rows).keys()].filter((cell) => !mines.includes(cell));
  /** @param {number} shift @param {number} pace */
  const side = (shift, pace) =>
    clearing(half, rows, mines, [18, ...safe], pace).map((frame) =>
      frame.map((change) => ({
        ...change,
        cell: Math.floor(change.cell / half) * columns + (change.cell % half) + shift,
      })),
    );
  const [fast, slow] = [side(0, 1), side(7, 2)];
  const frames = fast.map((frame, at) => [...frame, ...(slow[at] ?? [])]);
  const begin = tiles(columns * rows, "hidden");
  for (let y = 0; y < rows; y++) begin[y * columns + half] = { tile: "nothing" };
  return { columns, rows, begin, frames };
}
