import { t } from "site/i18n.js";

import { SIDE } from "./fleet.js";
import { HIT } from "./fold.js";
import { picture, shipsOf } from "./picture.js";

/** @import { Game, Truth } from "./types.d.ts" */
/** @import { View } from "games/match/types.d.ts" */
/** @import { Pane, Replay, Tell, Words } from "games/replay/types.d.ts" */

/** @param {Replay<Game, Truth>} replay @param {string} view @returns {Pane[]} */
export const panes = ({ tracks, truth, players }, view) =>
  players.map((player, sea) => ({
    title: t("{name}’s sea", { name: player.name }),
    seat: sea,
    draw(time) {
      const seen = tracks[view === "truth" ? "public" : view].seek(time);
      const all = view === "truth" ? truth.fleets?.[sea] : null;
      return { drawn: picture(seen, { sea }), ships: all ?? shipsOf(seen, sea) };
    },
  }));

/** @returns {number} */
export const columns = () => SIDE;

/**
 * Each player's number of hits.
 * @param {View<Game, Truth>} view
 */
export const scores = ({ game }) =>
  game.seas.map((_, seat) => String(game.seas[1 - seat].tried.filter((code) => code === HIT).length));

/**
 * Frames nothing, because a cell would be framed in both seas.
 * @returns {number[]}
 */
export const framed = () => [];

/** @param {Tell} tell @returns {Words} */
export const words = ({ name, at }) => ({
  placed: () => t("The fleet is in place."),
  turn: ({ turn }) => (turn === null ? "" : t("It’s {name}’s turn.", { name: name(turn) })),
  bombed({ seat, cell, hit, sunk }) {
    const what = { name: name(seat), place: at(cell) };
    if (sunk) return t("{name} bombs {place} and sinks a ship.", what);
    return hit ? t("{name} bombs {place}: hit.", what) : t("{name} bombs {place}: miss.", what);
  },
  lapsed: ({ seat }) => t("{name} missed three turns in a row.", { name: name(seat) }),
});
