// Boards with reveals and flags: a number per cell, 0 to 8 for open cells, or one of these codes. The mirror
// of games/engine/moves.py.

/** @import { GameEvent } from "games/match/types.d.ts" */

export const HIDDEN = -1;
export const FLAG = -2;
export const MINE = -3;

/**
 * Changes `cells`; returns whether the event was a move.
 * @param {number[]} cells
 * @param {GameEvent} event
 */
export function foldMove(cells, event) {
  if (event.type === "opened") {
    for (const [i, cell] of event.cells.entries()) cells[cell] = event.numbers[i];
  } else if (event.type === "mine") {
    cells[event.cell] = MINE;
  } else if (event.type === "flagged") {
    cells[event.cell] = event.on ? FLAG : HIDDEN;
  } else {
    return false;
  }
  return true;
}
