// Hints in a solo match: a button, and the hint drawn on the board. "Show me why" frames the numbers that
// prove the cell.

import { announce } from "site/announce.js";
import { confirmDialog } from "site/dialog.js";
import { h, icon } from "site/dom.js";
import { t } from "site/i18n.js";

/** @import { Game } from "./types.d.ts" */
/** @import { Board } from "games/board/types.d.ts" */
/** @import { Page } from "games/match/types.d.ts" */

/** @param {string} text */
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {Page<Game>} page @param {Board} board */
export function createHints({ session, data, notices }, board) {
  let agreed = false;
  /** @type {import("./types.d.ts").Hint | null} */
  let shown = null;
  const why = h("button.button.quiet.small", { type: "button", hidden: true, onclick: showWhy }, t("Show me why"));
  const ask = h("button.button.small", { type: "button", onclick: help }, icon("info"), t("Hint"));

  /** @param {number} cell */
  function place(cell) {
    const { width } = session.view.game;
    return t("row {row}, column {column}", { row: Math.floor(cell / width) + 1, column: (cell % width) + 1 });
  }

  /** @param {import("./types.d.ts").Hint} hint */
  function words({ kind, cell, chance, rule }) {
    const where = place(cell);
    if (rule) return t("Start at {place}. It’s safe.", { place: where });
    if (kind === "safe") return t("{place} is safe.", { place: where });
    if (kind === "mine") return t("{place} is a mine.", { place: where });
    return t("You have to guess. {place} is the best choice, with a {percent}% risk of a mine.", {
      place: where,
      percent: (chance * 100).toFixed(1),
    });
  }

  async function help() {
    if (!agreed && session.view.game.hints === 0) {
      agreed = await confirmDialog({
        title: t("Want a hint?"),
        text: t("Games with hints don’t appear on the leaderboards."),
        yes: t("Show a hint"),
        no: t("Keep thinking"),
      });
      if (!agreed) return;
    }
    ask.disabled = true;
    try {
      const answer = await fetch(data.urls.hint, { method: "POST", headers: { "X-CSRFToken": data.csrf } });
      const found = await answer.json();
      if (!answer.ok) {
        notices.say(found.text, { kind: "warn" });
        return;
      }
      shown = found;
      board.mark({ frames: [{ cell: found.cell, seat: 0 }], shaded: [] });
      why.hidden = found.numbers.length === 0;
      const text = sentence(words(found));
      notices.say(text);
      announce(text);
    } catch {
      notices.say(t("The hint didn’t load. Please try again."), { kind: "warn" });
    } finally {
      ask.disabled = false;
    }
  }

  function showWhy() {
    if (!shown) return;
    board.mark({ shaded: shown.numbers });
    const text = shown.mine_count
      ? t("The shaded numbers and the number of mines left prove it.")
      : t("The shaded numbers prove it.");
    notices.say(text);
    announce(text);
  }

  return {
    element: h("div.row.hints", {}, ask, why),
    /** Remove the last hint: any move makes it outdated. */
    clear() {
      if (!shown) return;
      shown = null;
      why.hidden = true;
      board.mark({ frames: [], shaded: [] });
    },
    tick() {
      ask.hidden = !session.playing;
      if (!session.playing) why.hidden = true;
    },
  };
}
