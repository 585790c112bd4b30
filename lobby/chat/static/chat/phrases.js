// The quick phrases in the reader's language; the codes are those of lobby/chat/phrases.py.

import { t } from "site/i18n.js";

/** @type {Record<string, string>} */
const PHRASES = {
  hello: t("Hello!"),
  luck: t("Good luck!"),
  fun: t("Have fun!"),
  nice: t("Nice move!"),
  close: t("That was close!"),
  oops: t("Oops!"),
  sorry: t("Sorry!"),
  moment: t("One moment, please."),
  thanks: t("Thanks!"),
  played: t("Well played!"),
  game: t("Good game!"),
  bye: t("Bye!"),
};

/** The phrases that fit each phase of a match. */
export const FITTING = {
  setup: ["hello", "luck", "fun", "moment", "thanks"],
  live: ["luck", "nice", "close", "oops", "sorry", "thanks"],
  over: ["played", "game", "close", "thanks", "bye"],
};

/** @param {string} code @returns {string} */
export const phraseText = (code) => PHRASES[code] ?? code;
