// The match view for a mode without a board in the browser: the page still shows the players and the result.

import { h } from "site/dom.js";
import { t } from "site/i18n.js";

import { countdownText } from "./time.js";

/** @import { MatchView, Page } from "games/match/types.d.ts" */

/** @param {Page} page @returns {MatchView} */
export function createBoardless({ session }) {
  const nothing = () => {};
  return {
    element: h(
      "div.boardless",
      {},
      h("p", {}, t("This game has no board in the browser yet. Programs play it, over the match’s socket.")),
      h("a.button", { href: document.documentElement.dataset.apiUrl }, t("HTTP API")),
    ),
    boards: [],
    view: nothing,
    event: nothing,
    refused: nothing,
    tick: nothing,
    clock() {
      const { phase, setup_ends } = session.view;
      return phase === "setup"
        ? { text: countdownText(setup_ends - session.time()), label: t("Time to get ready") }
        : null;
    },
    row: () => ({}),
  };
}
