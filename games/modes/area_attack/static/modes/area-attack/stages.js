// The line of Area Attack's three stages: the current one, and when the next one starts.

import { h, setText } from "site/dom.js";
import { t } from "site/i18n.js";

import { countdownText } from "games/match/time.js";

/** @import { Game } from "./types.d.ts" */
/** @import { Session } from "games/match/types.d.ts" */

export const STAGE_NAMES = [t("Set-up"), t("Stage 1: Default"), t("Stage 2: Attack"), t("Stage 3: Lock")];
export const STAGE_RULES = [
  "",
  t("Claim any hidden cell. A mine freezes you."),
  t("You can only claim cells next to your area. A mine resets the land around it."),
  t("A mine freezes you and resets the land around it. The end is near."),
];
const SHORT = ["", t("Default"), t("Attack"), t("Lock")];

/** @param {Session<Game>} session */
export function createStages(session) {
  const steps = [1, 2, 3].map((stage) => ({
    stage,
    time: h("span"),
    element: h("li", { title: STAGE_RULES[stage] }, h("b", {}, SHORT[stage])),
  }));
  for (const step of steps) step.element.append(step.time);
  const element = h(
    "ol.stage-line",
    { "aria-label": t("Stages") },
    steps.map((step) => step.element),
  );

  /**
   * When the clock starts a stage; the players' areas may start it earlier.
   * @param {number} stage
   * @param {Game} game
   * @param {Record<string, any>} options
   */
  function startOf(stage, { began, ends }, options) {
    const after = { 2: options.attack_at_seconds, 3: options.lock_at_seconds }[stage] ?? 0;
    return stage === 4 ? ends : (began ?? 0) + after * 1000;
  }

  return {
    element,
    update() {
      const { game, options, phase } = session.view;
      if (game.began === null) return;
      for (const { stage, element: item, time } of steps) {
        item.classList.toggle("is-now", stage === game.stage && phase === "live");
        item.classList.toggle("is-past", stage < game.stage);
        if (stage === game.stage) item.setAttribute("aria-current", "step");
        else item.removeAttribute("aria-current");
        const next = stage === game.stage + 1 && phase === "live";
        setText(
          time,
          next ? t("in {time}", { time: countdownText(startOf(stage, game, options) - session.time()) }) : "",
        );
      }
    },
  };
}
