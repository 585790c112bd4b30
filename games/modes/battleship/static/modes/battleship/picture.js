import * as F from "games/board/faces.js";
import { blankPicture } from "games/board/picture.js";
import { cellsOf, SIDE } from "./fleet.js";

/** @import { Game, Truth } from "./types.d.ts" */
/** @import { Ship } from "games/board/types.d.ts" */
/** @import { View } from "games/match/types.d.ts" */

const FACES = [F.SEA, F.MISS, F.HIT]; // by the codes of fold.js

/**
 * One player's sea: `sea` is that player's seat.
 * @param {View<Game, Truth>} view
 * @param {{ sea: number }} options
 */
export function picture(view, { sea }) {
  const drawn = blankPicture(SIDE, SIDE);
  const { tried, sunk } = view.game.seas[sea];
  tried.forEach((code, cell) => (drawn.faces[cell] = FACES[code]));
  for (const ship of sunk) for (const cell of cellsOf(ship)) drawn.faces[cell] = F.SUNK;
  return drawn;
}

/**
 * The ships of one sea that this viewer may see: their own fleet, all ships after the match, else sunk ones.
 * @param {View<Game, Truth>} view
 * @param {number} sea
 * @returns {Ship[]}
 */
export function shipsOf(view, sea) {
  const known = view.truth?.fleets?.[sea] ?? (view.you === sea ? view.game.fleet : null);
  return known ?? view.game.seas[sea].sunk;
}
