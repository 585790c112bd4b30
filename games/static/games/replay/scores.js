// How everybody stood at a moment, beside the names.

import { t } from "site/i18n.js";

const SCORES = {
  classic: ({ game }) => {
    const safe = game.cells.length - game.mines;
    const open = game.cells.filter((code) => code >= 0).length;
    return [t("{percent} %", { percent: Math.floor((100 * open) / safe) })];
  },
  race: ({ game }) => game.players.map(({ percent }) => t("{percent} %", { percent })),
  "area-attack": ({ game }) => game.areas.map(String),
  battleship: ({ game }) => game.seas.map((_, seat) => String(game.seas[1 - seat].tried.filter((code) => code === 2).length)),
};

export const scoresOf = (view) => SCORES[view.mode]?.(view) ?? [];
