// The mirror of BattleshipRules.fold.

/** @import { Game } from "./types.d.ts" */
/** @import { GameEvent } from "games/match/types.d.ts" */

export const UNTRIED = 0;
export const MISS = 1;
export const HIT = 2;

/** @param {Game} game @param {GameEvent} event */
export function fold(game, event) {
  if (event.type === "placed") {
    game.fleet = event.ships;
    return;
  }
  if (event.type === "bombed") {
    const sea = game.seas[1 - event.seat];
    sea.tried[event.cell] = event.hit ? HIT : MISS;
    if (event.sunk !== null) sea.sunk.push(event.sunk);
  }
  if (event.type === "bombed" || event.type === "lapsed") game.lapses[event.seat] = event.lapses;
  game.turn = event.turn;
  game.turn_ends = event.turn_ends;
}
