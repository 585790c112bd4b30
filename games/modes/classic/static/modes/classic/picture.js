import { HIDDEN, START } from "games/board/faces.js";
import { minefield } from "games/board/minefield.js";

/** @import { Game, Truth } from "./types.d.ts" */
/** @import { View } from "games/match/types.d.ts" */

/**
 * The minefield; before the first move it shows the cell to start at, if the board has one.
 * @param {View<Game, Truth>} view
 * @param {{ pending?: Map<number, boolean> }} [options]
 */
export function picture(view, options) {
  const drawn = minefield(view, options);
  const { start, started } = view.game;
  if (start !== null && started === null && !view.truth && drawn.faces[start] === HIDDEN) drawn.faces[start] = START;
  return drawn;
}
