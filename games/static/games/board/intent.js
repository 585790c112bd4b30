// The meaning of a press on a cell, which depends on the cell's face and the viewer's preferences.

import { isHidden, isNumber } from "./faces.js";

/** @import { Act, ActKind, Board } from "games/board/types.d.ts" */

/**
 * The main press (left button, tap, space): reveal, flag in flag mode, or chord on a number.
 * @param {Board} board
 * @param {number} cell
 * @returns {ActKind}
 */
export function primary(board, cell) {
  const face = board.state.wanted.faces[cell];
  if (isNumber(face)) return board.prefs.chord_click === false ? "reveal" : "chord";
  return board.state.flagMode && isHidden(face) ? "flag" : "reveal";
}

/**
 * The secondary press (a long press): flag, or reveal in flag mode.
 * @param {Board} board
 * @param {number} cell
 * @returns {ActKind}
 */
export function secondary(board, cell) {
  const face = board.state.wanted.faces[cell];
  if (isNumber(face)) return "chord";
  return board.state.flagMode ? "reveal" : "flag";
}

/** @param {Board} board @param {ActKind} kind @param {number} cell @param {Act["by"]} by */
export function act(board, kind, cell, by) {
  if (!board.state.enabled || cell < 0) return;
  board.emit("act", { kind, cell, by });
}
