// Pictures of minefields, shared by the modes that are played on one.

import * as F from "./faces.js";
import { blankPicture } from "./picture.js";

/** @import { Picture } from "games/board/types.d.ts" */
/** @import { View } from "games/match/types.d.ts" */

const FROM_MOVES = [0, F.HIDDEN, F.FLAG, F.STRUCK]; // -1, -2, -3 (fold/moves.js)

/**
 * `pending`: Map of cell -> bool, the viewer's flag changes that the server has not confirmed yet.
 * @param {Picture} drawn
 * @param {Map<number, boolean> | undefined} pending
 */
export function showPending(drawn, pending) {
  for (const [cell, on] of pending ?? []) {
    if (F.isHidden(drawn.faces[cell])) drawn.faces[cell] = on ? F.FLAG : F.HIDDEN;
  }
}

/**
 * Show the mines that were not found, and the flags that were wrong.
 * @param {Picture} drawn
 * @param {number[]} mines
 */
export function disclose(drawn, mines) {
  const mined = new Set(mines);
  drawn.faces.forEach((face, cell) => {
    if (face === F.FLAG && !mined.has(cell)) drawn.faces[cell] = F.WRONG_FLAG;
    else if ((face === F.HIDDEN || face === F.START) && mined.has(cell)) drawn.faces[cell] = F.MINE;
  });
  return drawn;
}

/**
 * The viewer's own minefield, with cells as in fold/moves.js.
 * @param {View} view
 * @param {{ pending?: Map<number, boolean> }} [options]
 * @returns {Picture}
 */
export function minefield({ game, truth }, { pending } = {}) {
  const drawn = blankPicture(game.width, game.height);
  for (let cell = 0; cell < game.cells.length; cell++) {
    const code = game.cells[cell];
    drawn.faces[cell] = code >= 0 ? code : FROM_MOVES[-code];
  }
  showPending(drawn, pending);
  return truth?.mines ? disclose(drawn, truth.mines) : drawn;
}
