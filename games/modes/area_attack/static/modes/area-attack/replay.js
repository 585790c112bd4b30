import { n, t } from "site/i18n.js";

import * as F from "games/board/faces.js";
import { cellsOf, minefieldWords } from "games/replay/describe.js";
import { withMines } from "games/replay/truth.js";
import { picture } from "./picture.js";

/** @import { Game, Truth } from "./types.d.ts" */
/** @import { GameEvent, View } from "games/match/types.d.ts" */
/** @import { Laid, Pane, Replay, Tell, Words } from "games/replay/types.d.ts" */

/**
 * Merges all players' views into one field: each owned cell shows its owner's number.
 * @param {View<Game, Truth>[]} views
 */
function together(views) {
  const drawn = picture(views[0]);
  views.forEach((view, seat) => {
    view.game.cells.forEach((code, cell) => {
      if (code > 8) return;
      drawn.faces[cell] = code;
      drawn.owners[cell] = seat;
    });
  });
  // A flag is one player's opinion, not the truth.
  drawn.faces.forEach((face, cell) => face === F.FLAG && (drawn.faces[cell] = F.HIDDEN));
  return drawn;
}

/** @param {View<Game, Truth>} view */
function pins({ game, phase }) {
  if (phase !== "setup") return [];
  return game.picks.flatMap((cell, seat) =>
    cell === null ? [] : [{ cell, seat, label: String(seat + 1), sure: true }],
  );
}

/** @param {Replay<Game, { mines: Laid }>} replay @param {string} view @returns {Pane[]} */
export const panes = ({ tracks, truth, players }, view) => [
  {
    title: t("The field"),
    you: view === "public" || view === "truth" ? null : Number(view),
    draw(time) {
      if (view !== "truth") return { drawn: picture(tracks[view].seek(time)), pins: pins(tracks[view].view) };
      const views = players.map((_, seat) => tracks[seat].seek(time));
      return { drawn: withMines(together(views), truth.mines, time), pins: pins(views[0]) };
    },
  },
];

/** @param {View<Game, Truth>} view */
export const columns = ({ options }) => options.size;

/** @param {View<Game, Truth>} view */
export const scores = ({ game }) => game.areas.map(String);

/**
 * The cells to frame: none for regenerated ground or the end of a freeze, which are about no single cell.
 * @param {GameEvent} event
 */
export const framed = (event) => (event.type === "regenerated" || event.type === "caught_up" ? [] : cellsOf(event));

/** @param {Tell} tell @returns {Words} */
export const words = ({ name, at }) => ({
  ...minefieldWords({ at }),
  picked: ({ seat }) => t("{name} picks a start.", { name: name(seat) }),
  stage: ({ stage }) => t("Stage {n} begins.", { n: stage }),
  claimed: ({ seat, cells }) =>
    n("{name} claims one cell.", "{name} claims {n} cells.", cells.length, { name: name(seat) }),
  struck: ({ seat, cell }) => t("{name} hits a mine at {place}.", { name: name(seat), place: at(cell) }),
  regenerated: ({ cells }) => n("One cell is reset.", "{n} cells are reset.", cells.length),
  thawed: ({ seat }) => t("{name} can move again.", { name: name(seat) }),
  caught_up: () => t("The freeze is over."),
});
