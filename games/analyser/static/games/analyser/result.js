// The card with the answer: what to do next and why, and the figures.

import { announce } from "site/announce.js";
import { find, setText, toggle } from "site/dom.js";
import { n, t } from "site/i18n.js";

import { arrangementsText, headline, percent } from "./words.js";

/** @import { Answer } from "./types.d.ts" */

/** @param {HTMLElement} card */
export function createResult(card) {
  const title = find("[data-title]", card);
  const text = find("[data-text]", card);
  const figures = find("[data-figures]", card);

  /** @param {string} kind @param {string} heading @param {string} sentence */
  function say(kind, heading, sentence) {
    card.dataset.kind = kind;
    setText(title, heading);
    setText(text, sentence);
  }

  /** @param {Answer} answer @returns {[string, string][]} */
  function facts({ exact, win, safe, proven_mines: mines, arrangements, flags }) {
    /** @type {[string, string][]} */
    const found = [];
    if (win !== null) found.push([t("Chance to win with perfect play"), percent(win)]);
    found.push([t("Proven safe"), n("{n} cell", "{n} cells", safe.length)]);
    found.push([t("Proven mines"), n("{n} cell", "{n} cells", mines.length)]);
    if (flags?.wrong.length) found.push([t("Wrong flags"), n("{n} cell", "{n} cells", flags.wrong.length)]);
    if (flags?.unproven.length)
      found.push([t("Flags without proof"), n("{n} cell", "{n} cells", flags.unproven.length)]);
    if (arrangements) found.push([t("Ways to lay the mines"), arrangementsText(arrangements)]);
    if (!exact) found.push([t("Probabilities"), t("estimated: there is too much to count")]);
    return found;
  }

  return {
    /** @param {Answer} answer */
    show(answer) {
      const { kind, title: heading, text: sentence } = headline(answer);
      say(kind, heading, sentence);
      announce(`${heading}. ${sentence}`);
      toggle(figures, answer.status !== "contradiction");
      figures.replaceChildren(
        ...facts(answer).flatMap(([name, value]) => {
          const [term, told] = [document.createElement("dt"), document.createElement("dd")];
          term.textContent = name;
          told.textContent = value;
          return [term, told];
        }),
      );
    },
    /** @param {string} sentence */
    refuse(sentence) {
      say("bad", t("No answer"), sentence);
      announce(sentence);
      toggle(figures, false);
    },
    /** @param {boolean} busy */
    wait(busy) {
      card.setAttribute("aria-busy", String(busy));
    },
  };
}
