// The position that is being set up: painting, undo, and codes of links.

import { emitter } from "games/emitter.js";
import { positionCode } from "games/board/position.js";

/** @import { Position } from "./types.d.ts" */

export const [CLOSED, FLAG, MINE] = [-1, -2, -3];
const MOST_STEPS = 200;

/** @param {Position} first */
export function createEditor(first) {
  let position = first;
  /** @type {Position[]} */
  let past = [];
  /** @type {import("games/emitter.js").Emitter<{ change: { first: boolean } }>} */
  const events = emitter();

  /**
   * The `first` position can't be undone.
   * @param {Position} next
   * @param {{ first?: boolean }} [how]
   */
  function replace(next, { first = false } = {}) {
    past = first ? [] : [...past, position].slice(-MOST_STEPS);
    position = next;
    events.emit("change", { first });
  }

  return {
    on: events.on,
    get position() {
      return position;
    },
    get code() {
      return positionCode(position);
    },
    get canUndo() {
      return past.length > 0;
    },
    replace,
    /** Paint some cells as one step. @param {Iterable<number>} cells @param {number} code */
    paint(cells, code) {
      const painted = position.cells.slice();
      for (const cell of cells) painted[cell] = code;
      if (painted.some((each, cell) => each !== position.cells[cell])) replace({ ...position, cells: painted });
    },
    /** Flag a closed cell, or take its flag away. @param {number} cell */
    flag(cell) {
      const now = position.cells[cell];
      if (now === CLOSED || now === FLAG) this.paint([cell], now === FLAG ? CLOSED : FLAG);
    },
    /** @param {number} mines */
    setMines(mines) {
      if (mines !== position.mines) replace({ ...position, mines });
    },
    /** @param {number} width @param {number} height @param {number} mines */
    blank(width, height, mines) {
      replace({ width, height, mines, cells: Array(width * height).fill(CLOSED) });
    },
    undo() {
      const last = past.pop();
      if (!last) return;
      position = last;
      events.emit("change", { first: false });
    },
  };
}
