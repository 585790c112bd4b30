import { t } from "site/i18n.js";

import { minefieldWords } from "games/replay/describe.js";
import { withMines } from "games/replay/truth.js";
import { picture } from "./picture.js";

/** @import { Game, Truth } from "./types.d.ts" */
/** @import { View } from "games/match/types.d.ts" */
/** @import { Laid, Pane, Replay, Tell, Words } from "games/replay/types.d.ts" */

/** The truth, because the public stream shows only progress. */
export const firstView = "truth";

export const nothing = () =>
  t("Spectators only saw everyone’s progress. Choose a player or “Truth” to see the boards.");

/** @param {Replay<Game, { mines: Laid }>} replay @param {string} view @returns {Pane[]} */
export function panes({ tracks, truth, players }, view) {
  const everybody = players.map((_, seat) => seat);
  const shown = { truth: everybody, public: [] }[view] ?? [Number(view)];
  return shown.map((seat) => ({
    title: players[seat].name,
    seat,
    draw(time) {
      const seen = tracks[seat].seek(time);
      const drawn = picture(seen);
      return { position: seen.game, drawn: view === "truth" ? withMines(drawn, truth.mines, time) : drawn };
    },
  }));
}

/** @param {View<Game, Truth>} view */
export const columns = ({ game }) => game.width;

/** @param {View<Game, Truth>} view */
export const scores = ({ game }) => game.players.map(({ percent }) => t("{percent}%", { percent }));

/** @param {Tell} tell @returns {Words} */
export const words = ({ name, at }) => ({
  ...minefieldWords({ at }),
  began: () => t("The match begins."),
  progress: ({ seat, percent }) => t("{name} is at {percent}%.", { name: name(seat), percent }),
  locked: ({ seat }) => t("{name} hit a mine and has to wait.", { name: name(seat) }),
  finished: ({ seat }) => t("{name} has cleared the board.", { name: name(seat) }),
});
