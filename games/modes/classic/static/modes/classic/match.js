import { t } from "site/i18n.js";

import { createField } from "games/match/field.js";
import { clockText } from "games/match/time.js";
import { createHints } from "./hints.js";
import { picture } from "./picture.js";

/** @import { Game, Truth } from "./types.d.ts" */
/** @import { MatchView, Page } from "games/match/types.d.ts" */

/** @param {Page<Game, Truth>} page @returns {MatchView} */
export function create(page) {
  const { session, notices, sound } = page;
  const field = createField(page, { open: "reveal", label: t("Minefield"), picture });
  const hints = session.seat === null ? null : createHints(page, field.board);
  const game = () => session.view.game;
  /** @type {Record<string, (event: any) => void>} Each event's effects besides the new picture. */
  const on = {
    opened: ({ cells }) => field.opened(cells),
    mine({ cell }) {
      field.draw();
      field.board.effect("burst", cell, { duration: 700 });
      sound.play("mine");
      page.flash();
    },
    hinted: () => notices.say(t("You used a hint, so this game won’t appear on the leaderboards.")),
    over: () => field.draw({ wave: "open", origin: Math.max(0, game().cells.indexOf(-3)) }),
  };

  return {
    element: field.element,
    boards: [field.board],
    view() {
      field.draw();
      // Focus the board for its keys, on devices that are likely to have a keyboard.
      if (matchMedia("(hover: hover)").matches && document.activeElement === document.body) field.board.focus();
      if (game().start !== null && game().started === null) notices.say(t("Start at the marked cell."));
    },
    panel: hints?.element,
    event(event) {
      if (event.type === "opened" || event.type === "mine" || event.type === "over") hints?.clear();
      if (on[event.type]) on[event.type](event);
      else field.draw();
    },
    refused: (refusal) => field.refused(refusal),
    tick() {
      field.board.enable(session.playing);
      hints?.tick();
    },
    clock() {
      const { started, ended } = game();
      if (started === null) return { text: "0:00", label: t("Time") };
      return { text: clockText((ended ?? session.time()) - started, { exact: ended !== null }), label: t("Time") };
    },
    flashes: true,
    fresh: () => game().started === null,
    counter: () => ({ text: String(field.flagsLeft(game().mines)), label: t("Mines left") }),
    row() {
      const { cells, mines } = game();
      const open = cells.filter((code) => code >= 0).length;
      const share = open / (cells.length - mines);
      return { value: `${Math.floor(share * 100)}%`, share };
    },
    headline: ({ truth }) =>
      truth?.won ? { text: t("Cleared!"), kind: "win" } : { text: t("Game over"), kind: "loss" },
    facts() {
      const { truth } = session.view;
      if (!truth || session.view.outcome.aborted) return [];
      return [
        [t("Time"), clockText(truth.time_ms ?? 0, { exact: true })],
        ["3BV", `${truth.bbbv_done} / ${truth.bbbv}`],
        [t("Clicks"), String(truth.clicks)],
        [t("Efficiency"), `${truth.efficiency ?? 0}%`],
      ];
    },
  };
}
