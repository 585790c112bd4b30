// Builds the scenes of miniature boards. A scene is { columns, rows, shape, begin, frames }: a tile per cell
// to begin with, and frames of changes { cell, tile, digit, mark }; `shape` is "hex" or square. A mode's
// mini.js exports scene(). Scenes are the same every time: a small random generator with fixed seeds.

/** @import { Change, Scene, Tile } from "games/lobby/types.d.ts" */

/** @param {number} seed */
function chance(seed) {
  let state = seed;
  return () => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** @param {number} cell @param {number} columns @param {number} rows */
export function around(cell, columns, rows) {
  const [x, y] = [cell % columns, Math.floor(cell / columns)];
  const found = [];
  for (let dy = -1; dy <= 1; dy++) {
    for (let dx = -1; dx <= 1; dx++) {
      const inside = x + dx >= 0 && x + dx < columns && y + dy >= 0 && y + dy < rows;
      if (inside && (dx || dy)) found.push(cell + dy * columns + dx);
    }
  }
  return found;
}

/** @param {number} columns @param {number} rows @param {number[]} mines */
function field(columns, rows, mines) {
  const mined = new Set(mines);
  /** @param {number} cell */
  const near = (cell) => around(cell, columns, rows);
  /** @param {number} cell */
  const number = (cell) => near(cell).filter((other) => mined.has(other)).length;
  return { mined, number, near };
}

/** @param {number} cell @param {number} digit @returns {Change} */
const opened = (cell, digit) => ({ cell, tile: "open", digit });

/**
 * Rings of cells that open outwards from a start, like a flood.
 * @param {ReturnType<typeof field>} board
 * @param {number} start
 * @param {Set<number>} taken
 */
function flood(board, start, taken) {
  const rings = [];
  let ring = [start];
  taken.add(start);
  while (ring.length) {
    rings.push(ring);
    /** @type {number[]} */
    const next = [];
    for (const cell of ring) {
      if (board.number(cell)) continue;
      for (const other of board.near(cell)) {
        if (taken.has(other) || board.mined.has(other)) continue;
        taken.add(other);
        next.push(other);
      }
    }
    ring = next;
  }
  return rings;
}

/**
 * The frames of clearing a board: floods, flags, then the rest one by one.
 * @param {number} columns
 * @param {number} rows
 * @param {number[]} mines
 * @param {number[]} starts
 */
export function clearing(columns, rows, mines, starts, pace = 1) {
  const board = field(columns, rows, mines);
  const taken = new Set();
  /** @type {Change[][]} */
  const frames = [];
  for (const start of starts) {
    if (taken.has(start)) continue;
    for (const ring of flood(board, start, taken)) {
      frames.push(ring.map((cell) => opened(cell, board.number(cell))));
      for (let wait = 1; wait < pace; wait++) frames.push([]);
    }
    const known = mines.filter((mine) => board.near(mine).some((cell) => taken.has(cell)));
    for (const mine of known) {
      if (taken.has(mine)) continue;
      taken.add(mine);
      frames.push([{ cell: mine, tile: "hidden", mark: "flag" }], ...Array(pace - 1).fill([]));
    }
  }
  return frames;
}

/** @param {number} count @param {string} tile @returns {Tile[]} */
export const tiles = (count, tile) => Array.from({ length: count }, () => ({ tile }));

/**
 * Areas that grow from `starts`, one per seat: the final owner of each cell, and the frames. `near(cell)`
 * returns its neighbours.
 * @param {number[]} starts
 * @param {(cell: number) => number[]} near
 * @param {number} steps
 * @param {number} seed
 */
export function spreading(starts, near, steps, seed) {
  const random = chance(seed);
  const owner = new Map(starts.map((cell, seat) => [cell, seat]));
  /** @type {Change[][]} */
  const frames = [starts.map((cell, seat) => ({ cell, tile: `seat-${seat + 1}` }))];
  for (let step = 0; step < steps; step++) {
    /** @type {Change[]} */
    const changes = [];
    starts.forEach((_, seat) => {
      const rim = [...owner].filter(([, whose]) => whose === seat).flatMap(([cell]) => near(cell));
      const free = [...new Set(rim)].filter((cell) => !owner.has(cell));
      for (let take = 0; take < 2 && free.length; take++) {
        const [cell] = free.splice(Math.floor(random() * free.length), 1);
        owner.set(cell, seat);
        const digit = random() < 0.35 && seat === 0 ? 1 + Math.floor(random() * 3) : 0;
        changes.push({ cell, tile: `seat-${seat + 1}`, digit });
      }
    });
    frames.push(changes);
  }
  return { owner, frames };
}

/**
 * A scene of clearing a minefield.
 * @param {number} columns
 * @param {number} rows
 * @param {number[]} mines
 * @returns {Scene}
 */
export function clearedField(columns, rows, mines) {
  const safe = [...Array(columns * rows).keys()].filter((cell) => !mines.includes(cell));
  const frames = clearing(columns, rows, mines, [columns * 2 + 1, ...safe]);
  return { columns, rows, begin: tiles(columns * rows, "hidden"), frames };
}
