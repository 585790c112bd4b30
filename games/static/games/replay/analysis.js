// The solver's analysis of each player's moves, beside the replay. The server computes it on the first
// request, so the card polls for it with growing pauses.

import { find, h } from "site/dom.js";
import { n, t } from "site/i18n.js";

/** @import { Analysis, JudgedPlayer, ReplayData } from "games/replay/types.d.ts" */

/** Milliseconds between requests; after the last one the reader can retry. */
const PAUSES = [300, 700, 1500, 3000, 5000, 8000, 12000, 20000, 30000, 30000, 30000, 30000];

/** @type {[() => string, (judged: JudgedPlayer) => string | number][]} */
const ROWS = [
  [() => t("Accuracy"), (p) => (p.accuracy === null ? "–" : `${p.accuracy.toFixed(1)} %`)],
  [() => t("Proven safe"), (p) => p.proven_safe],
  [() => t("Forced guesses"), (p) => p.forced_guess],
  [() => t("Unnecessary guesses"), (p) => p.avoidable_guess],
  [() => t("Known mines opened"), (p) => p.known_mine],
  [() => t("Mines hit"), (p) => p.mines],
  [() => t("Expected mines"), (p) => p.expected_mines.toFixed(2)],
  [() => t("Survival given up"), (p) => p.given_up.toFixed(2)],
  [() => t("Chance of surviving it all"), (p) => `${(p.survival * 100).toFixed(p.survival < 0.1 ? 1 : 0)} %`],
  [() => t("Score with average luck"), (p) => p.adjusted_score ?? "–"],
];

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * @param {string} address
 * @returns {Promise<Analysis | null>} null: it isn't available, and retrying soon won't help
 */
async function ask(address) {
  for (const wait of PAUSES) {
    const answer = await fetch(address).catch(() => null);
    if (answer?.status === 200) return answer.json();
    if (answer && answer.status !== 202 && answer.status !== 503) return null;
    const told = Number(answer?.headers.get("Retry-After") ?? 0) * 1000;
    if (told > 60_000) return null;
    // A hidden page doesn't poll.
    while (document.hidden) await pause(1000);
    await pause(answer?.status === 503 ? Math.max(wait, told) : wait);
  }
  return null;
}

/**
 * Request the analysis, show it in the card, and pass it to `then`.
 * @param {HTMLElement} card
 * @param {string} address
 * @param {ReplayData} replay
 * @param {(analysis: Analysis) => void} then
 */
export async function loadAnalysis(card, address, replay, then) {
  const [state, retry] = [find("#analysis-state", card), find("#analysis-retry", card)];
  state.textContent = t("Analysing the moves…");
  retry.hidden = true;
  card.setAttribute("aria-busy", "true");
  const found = await ask(address);
  card.removeAttribute("aria-busy");
  if (found?.status !== "ready") {
    state.textContent = t("The moves can’t be analysed right now.");
    retry.hidden = false;
    find("button", retry).onclick = () => loadAnalysis(card, address, replay, then);
    return;
  }
  state.hidden = true;
  showSummary(card, found.players, replay.players);
  then(found);
}

/**
 * @param {HTMLElement} card
 * @param {JudgedPlayer[]} judged
 * @param {{ name: string }[]} players
 */
function showSummary(card, judged, players) {
  if (!judged.some(({ analysed }) => analysed)) {
    card.hidden = true;
    return;
  }
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
    find("#analysis-share", card).textContent = n(
      "One of {moves} moves was analysed.",
      "{n} of {moves} moves were analysed.",
      analysed,
      { moves },
    );
  table.hidden = false;
}
