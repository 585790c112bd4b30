import { around, spreading, tiles } from "games/lobby/scenes.js";

/** @import { Scene } from "games/lobby/types.d.ts" */

/** @returns {Scene} */
export function scene() {
  const [columns, rows] = [13, 6];
  /** @param {number} cell */
  const near = (cell) => around(cell, columns, rows);
  const { owner, frames } = spreading([14, 24, 58], near, 13, 7);
  const struck = [...owner].find(([cell, seat]) => seat === 1 && cell % columns < 10)?.[0] ?? 36;
  const region = [struck, ...near(struck)];
  frames.push([{ cell: struck, tile: "blast", mark: "mine" }], [], []);
  frames.push(
    region.map((cell) => ({ cell, tile: "hidden" })),
    [],
  );
  frames.push(...region.map((cell) => [{ cell, tile: "seat-1" }]));
  return { columns, rows, begin: tiles(columns * rows, "hidden"), frames };
}
