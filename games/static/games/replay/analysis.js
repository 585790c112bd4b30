// What the solver says of each player's moves, beside the replay.

import { find, h } from "site/dom.js";
import { n, t } from "site/i18n.js";

/** @import { JudgedPlayer, ReplayData } from "games/replay/types.d.ts" */

/** @type {[() => string, (judged: JudgedPlayer) => string | number][]} */
const ROWS = [
  [() => t("Proven safe"), (p) => p.proven_safe],
  [() => t("Forced guesses"), (p) => p.forced_guess],
  [() => t("Guesses that were not needed"), (p) => p.avoidable_guess],
  [() => t("Mines struck"), (p) => p.mines],
  [() => t("Mines to be expected"), (p) => p.expected_mines.toFixed(2)],
  [() => t("Chance to survive all that"), (p) => `${(p.survival * 100).toFixed(p.survival < 0.1 ? 1 : 0)} %`],
  [() => t("Score with average luck"), (p) => p.adjusted_score ?? "–"],
];

/**
 * Fill the card, or leave it hidden when there is nothing to say.
 * @param {HTMLElement} card
 * @param {ReplayData} replay
 */
export function showSummary(card, { analysis_players: judged = [], players }) {
  if (!judged.some(({ analysed }) => analysed)) return;
  const table = find("table", card);
  const heads = judged.map(({ seat }) => h("th", { scope: "col" }, players[seat].name));
  table.append(h("tr", {}, h("td"), heads));
  for (const [title, value] of ROWS) {
    const cells = judged.map((player) => h("td", {}, String(value(player))));
    table.append(h("tr", {}, h("th", { scope: "row" }, title()), cells));
  }
  const [moves, analysed] = /** @type {const} */ (["moves", "analysed"]).map((key) =>
    judged.reduce((sum, p) => sum + p[key], 0),
  );
  if (analysed < moves)
    find("p", card).textContent = n(
      "Of {moves} moves one was looked at.",
      "Of {moves} moves {n} were looked at.",
      analysed,
      { moves },
    );
  card.hidden = false;
}
