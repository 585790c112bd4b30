import * as F from "games/board/faces.js";
import { disclose, showPending } from "games/board/minefield.js";
import { blankPicture } from "games/board/picture.js";
import { EXPOSED, FLAGGED, HIDDEN, OWNED_BY } from "./fold.js";

/** @import { Game, Truth } from "./types.d.ts" */
/** @import { View } from "games/match/types.d.ts" */

/** @param {View<Game, Truth>} view @param {{ pending?: Map<number, boolean> }} [options] */
export function picture({ game, truth, options, you }, { pending } = {}) {
  const drawn = blankPicture(options.size, options.size);
  for (let cell = 0; cell < game.cells.length; cell++) {
    const code = game.cells[cell];
    if (code < EXPOSED) {
      drawn.faces[cell] = code;
      drawn.owners[cell] = you ?? F.NOBODY;
    } else if (code === EXPOSED) {
      drawn.faces[cell] = F.EXPOSED;
    } else if (code < HIDDEN) {
      drawn.faces[cell] = F.PLAIN;
      drawn.owners[cell] = code - OWNED_BY;
    } else {
      drawn.faces[cell] = code === FLAGGED ? F.FLAG : F.HIDDEN;
    }
  }
  showPending(drawn, pending);
  if (!truth) return drawn;
  truth.owners.forEach((owner, cell) => {
    if (owner !== null) drawn.faces[cell] = truth.numbers[cell];
  });
  return disclose(drawn, truth.mines);
}
