// Opening, flagging and chords in a lesson on the learner's own minefield.

import { createGround } from "./ground.js";

/** @import { Here, LessonView } from "games/learn/types.d.ts" */

const [HIDDEN, FLAG, MINE] = [-1, -2, -3];

/** @param {number} width @param {number} height @param {number[]} mines */
export function createDigging(width, height, mines) {
  const ground = createGround(width, height, mines);
  /** @type {LessonView} */
  const view = {
    you: 0,
    truth: null,
    game: {
      width,
      height,
      mines: mines.length,
      cells: Array(width * height).fill(HIDDEN),
      start: null,
      started: 0,
      players: [],
    },
  };
  /** @param {Here} here @param {number} cell @returns {number} */
  const code = (here, cell) => here.view.game.cells[cell];

  /** @param {Here} here @param {number} cell */
  function open(here, cell) {
    const cells = ground.opening(cell, (other) => code(here, other) < 0 && code(here, other) !== MINE);
    here.fold({ type: "opened", cells, numbers: cells.map(ground.number) });
  }

  /**
   * The result of a press: "opened", "flagged", "mine" or "".
   * @param {{ kind: string, cell: number }} action
   * @param {Here} here
   */
  function press({ kind, cell }, here) {
    const now = code(here, cell);
    if (kind === "flag" && (now === HIDDEN || now === FLAG)) {
      here.fold({ type: "flagged", cell, on: now === HIDDEN });
      return "flagged";
    }
    if (kind === "reveal" && now === HIDDEN) {
      if (ground.mined.has(cell)) return "mine";
      open(here, cell);
      return "opened";
    }
    if (kind === "chord" && now > 0) return chord(here, cell, now);
    return "";
  }

  /** @param {Here} here @param {number} cell @param {number} number */
  function chord(here, cell, number) {
    const around = ground.near(cell);
    const marked = around.filter((other) => [FLAG, MINE].includes(code(here, other)));
    const rest = around.filter((other) => code(here, other) === HIDDEN);
    if (marked.length !== number || !rest.length) return "";
    if (rest.some((other) => ground.mined.has(other))) return "mine";
    for (const other of rest) if (code(here, other) === HIDDEN) open(here, other);
    return "opened";
  }

  /** @param {Here} here @param {number} cell */
  const isOpen = (here, cell) => code(here, cell) >= 0;
  /** @param {Here} here @returns {boolean} */
  const cleared = (here) =>
    here.view.game.cells.every(
      (/** @type {number} */ now, /** @type {number} */ cell) => now >= 0 || ground.mined.has(cell),
    );
  /** @param {Here} here @param {number} cell */
  const isFlagged = (here, cell) => code(here, cell) === FLAG;
  return { view, ground, press, open, isOpen, cleared, isFlagged };
}
