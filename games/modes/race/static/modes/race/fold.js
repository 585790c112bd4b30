import { foldMove } from "games/fold/moves.js";

/** @import { Game } from "./types.d.ts" */
/** @import { GameEvent } from "games/match/types.d.ts" */

/** @param {Game} game @param {GameEvent} event */
export function fold(game, event) {
  if (foldMove(game.cells, event)) return;
  if (event.type === "began") {
    game.began = event.t;
    game.ends = event.ends;
    return;
  }
  const player = game.players[event.seat];
  if (event.type === "progress") player.percent = event.percent;
  else if (event.type === "finished") player.finished = event.t;
  else if (event.type === "locked") {
    player.strikes = event.strikes;
    player.locked_until = event.until;
  }
}
