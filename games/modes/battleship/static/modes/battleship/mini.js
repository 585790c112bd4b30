import { tiles } from "games/lobby/scenes.js";

/** @import { Change, Scene } from "games/lobby/types.d.ts" */

/** @returns {Scene} */
export function scene() {
  const [columns, rows] = [13, 6];
  const ships = [
    [15, 16, 17, 18, 19],
    [35, 48, 61],
    [54, 55, 56],
    [11, 24],
  ];
  const sea = new Set(ships.flat());
  const shots = [5, 30, 17, 16, 18, 42, 19, 15, 9, 48, 35, 61, 66, 24, 11, 70, 55, 54, 56, 0];
  const struck = new Set();
  /** @type {Change[][]} */
  const frames = [];
  for (const shot of shots) {
    struck.add(shot);
    frames.push(
      [sea.has(shot) ? { cell: shot, tile: "hit", mark: "hit" } : { cell: shot, tile: "sea", mark: "miss" }],
      [],
    );
    const ship = ships.find((cells) => cells.includes(shot));
    if (ship?.every((cell) => struck.has(cell))) frames.push(ship.map((cell) => ({ cell, tile: "sunk", mark: "hit" })));
  }
  return { columns, rows, begin: tiles(columns * rows, "sea"), frames };
}
