// What a press on a cell means, by what the cell shows and what the viewer prefers.

import { isHidden, isNumber } from "./faces.js";

/** @import { Act, ActKind, Board } from "games/board/types.d.ts" */

/**
 * The main press (left button, tap, space): reveal; in flag mode flag; on a number chord.
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
 * The other one (a long press): flag; in flag mode reveal.
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
