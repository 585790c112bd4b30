// Cells and events of a common board in words, for screen readers and replays.

import { n, t } from "site/i18n.js";

/** @typedef {import("./fold.js").Cells} Cells */
/** @typedef {import("./fold.js").BoardEvent} BoardEvent */

/** @type {Record<string, string>} */
const FACES = {
  plain: t("open"),
  hidden: t("hidden"),
  flag: t("flag"),
  mine: t("mine"),
  stone: t("stone"),
  king: t("king"),
  goal: t("goal"),
  blocked: t("wall"),
};

/**
 * @param {Pick<Cells, "width">} board
 * @param {number} cell
 */
export const placeOf = ({ width }, cell) =>
  t("Row {row}, column {column}", { row: Math.floor(cell / width) + 1, column: (cell % width) + 1 });

/**
 * @param {string} face
 * @param {number | null} owner
 * @param {string} text
 * @param {(seat: number) => string} nameOf
 */
const lookOf = (face, owner, text, nameOf) =>
  [text, FACES[face] ?? face, owner === null ? "" : nameOf(owner)].filter(Boolean).join(", ");

/**
 * "Row 2, column 5: stone, Ada".
 * @param {Cells} board
 * @param {number} cell
 * @param {(seat: number) => string} nameOf
 */
export function describeCell(board, cell, nameOf) {
  return `${placeOf(board, cell)}: ${lookOf(board.cells[cell], board.owners[cell], board.texts[cell], nameOf)}`;
}

/**
 * What an event has changed; empty when there is nothing to say.
 * @param {BoardEvent} event
 * @param {{ place: (cell: number) => string, nameOf: (seat: number) => string }} tell
 */
export function describeEvent({ note, set = [], board, turn }, { place, nameOf }) {
  if (note) return t(note);
  if (set.length === 1) {
    const [[cell, face, owner, text]] = set;
    return `${place(cell)}: ${lookOf(face, owner, text, nameOf)}`;
  }
  if (set.length) return n("{n} cell changes.", "{n} cells change.", set.length);
  if (board) return t("The board changes.");
  if (turn !== undefined && turn !== null) return t("It is {name}’s turn.", { name: nameOf(turn) });
  return "";
}
