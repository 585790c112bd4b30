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

/** @param {string} words */
const sentence = (words) => words.charAt(0).toUpperCase() + words.slice(1);

/**
 * @param {Pick<Cells, "width">} board
 * @param {number} cell
 */
export const placeOf = ({ width }, cell) =>
  t("row {row}, column {column}", { row: Math.floor(cell / width) + 1, column: (cell % width) + 1 });

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
 * @param {boolean} legal whether the viewer's action is known to be legal there
 */
export function describeCell(board, cell, nameOf, legal = false) {
  const look = lookOf(board.cells[cell], board.owners[cell], board.texts[cell], nameOf);
  return sentence(`${placeOf(board, cell)}: ${look}${legal ? `, ${t("legal move")}` : ""}`);
}

/**
 * Describes the changes of an event; empty when there is nothing to say. `mover` is the seat that made the
 * move, if known.
 * @param {BoardEvent} event
 * @param {{ place: (cell: number) => string, nameOf: (seat: number) => string, mover?: number | null }} tell
 */
export function describeEvent({ note, set = [], board, turn }, { place, nameOf, mover = null }) {
  if (note) return t(note);
  if (set.length) {
    const who = mover === null ? "" : `${t("{name} moves.", { name: nameOf(mover) })} `;
    if (set.length > 1) return who + n("{n} cell changes.", "{n} cells change.", set.length);
    const [[cell, face, owner, text]] = set;
    return who + sentence(`${place(cell)}: ${lookOf(face, owner === mover ? null : owner, text, nameOf)}.`);
  }
  if (board) return t("The board changes.");
  if (turn !== undefined && turn !== null) return t("It’s {name}’s turn.", { name: nameOf(turn) });
  return "";
}
