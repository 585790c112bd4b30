import { t } from "site/i18n.js";

import { minefieldWords } from "games/replay/describe.js";
import { withMines } from "games/replay/truth.js";
import { picture } from "./picture.js";

/** @import { Game, Truth } from "./types.d.ts" */
/** @import { View } from "games/match/types.d.ts" */
/** @import { Laid, Pane, Replay, Tell, Words } from "games/replay/types.d.ts" */

/** @param {Replay<Game, { mines: Laid }>} replay @param {string} view @returns {Pane[]} */
export const panes = ({ tracks, truth, players }, view) => [
  {
    title: players[0].name,
    draw(time) {
      const seen = tracks["0"].seek(time);
      const drawn = picture(seen);
      return { position: seen.game, drawn: view === "truth" ? withMines(drawn, truth.mines, time) : drawn };
    },
  },
];

/** @param {View<Game, Truth>} view */
export const columns = ({ game }) => game.width;

/** @param {View<Game, Truth>} view */
export function scores({ game }) {
  const safe = game.cells.length - game.mines;
  const open = game.cells.filter((code) => code >= 0).length;
  return [t("{percent}%", { percent: Math.floor((100 * open) / safe) })];
}

/** @param {Tell} tell @returns {Words} */
export const words = (tell) => ({
  ...minefieldWords(tell),
  timer: ({ ended }) => (ended === null ? t("The clock starts.") : t("The clock stops.")),
  hinted: () => t("The player used a hint."),
});
