// Where ships may lie while a player places the fleet. Headless; the server decides.

/** @import { Ship } from "games/board/types.d.ts" */

export const SIDE = 10;
export const LENGTHS = [5, 4, 3, 3, 2];

/** @param {Ship} ship */
export const cellsOf = ({ cell, length, vertical }) =>
  Array.from({ length }, (_, i) => cell + i * (vertical ? SIDE : 1));

/** @param {Ship} ship */
export function inside({ cell, length, vertical }) {
  if (cell < 0 || cell >= SIDE * SIDE) return false;
  return (vertical ? Math.floor(cell / SIDE) : cell % SIDE) + length <= SIDE;
}

/**
 * The same ship, moved just far enough to lie inside the sea.
 * @param {Ship} ship
 * @returns {Ship}
 */
export function pushedInside(ship) {
  const [x, y] = [ship.cell % SIDE, Math.floor(ship.cell / SIDE)];
  const column = ship.vertical ? x : Math.max(0, Math.min(x, SIDE - ship.length));
  const row = ship.vertical ? Math.max(0, Math.min(y, SIDE - ship.length)) : y;
  return { ...ship, cell: row * SIDE + column };
}

/**
 * Whether this ship fits among the others (all but number `index`).
 * @param {Ship[]} fleet
 * @param {number} index
 * @param {Ship} ship
 */
export function fits(fleet, index, ship) {
  if (!inside(ship)) return false;
  const taken = new Set(fleet.flatMap((other, i) => (i === index ? [] : cellsOf(other))));
  return cellsOf(ship).every((cell) => !taken.has(cell));
}

export function randomFleet(random = Math.random) {
  /** @type {Ship[]} */
  const fleet = [];
  for (const length of LENGTHS) {
    /** @type {Ship} */
    let ship;
    do {
      ship = { cell: Math.floor(random() * SIDE * SIDE), length, vertical: random() < 0.5 };
    } while (!fits(fleet, -1, ship));
    fleet.push(ship);
  }
  return fleet;
}

/** @param {Ship[]} fleet @param {number} cell */
export const shipAt = (fleet, cell) => fleet.findIndex((ship) => cellsOf(ship).includes(cell));
