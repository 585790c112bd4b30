import { foldMove } from "games/fold/moves.js";

/** @import { Game } from "./types.d.ts" */
/** @import { GameEvent } from "games/match/types.d.ts" */

/** @param {Game} game @param {GameEvent} event */
export function fold(game, event) {
  if (event.type === "timer") {
    game.started = event.started;
    game.ended = event.ended;
  } else if (event.type === "hinted") {
    game.hints = event.hints;
  } else {
    foldMove(game.cells, event);
  }
}
