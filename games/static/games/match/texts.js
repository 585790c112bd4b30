// Sentences about a match that several parts of the page need.

import { errorText, t } from "site/i18n.js";

import { stoppedText } from "./retired.js";

/** @import { ModeTexts, Outcome, Session } from "games/match/types.d.ts" */
/** @import { Refusal } from "games/net/types.d.ts" */

/** @type {Record<string, string>} */
export const KIND_BADGES = { bot: t("Bot"), house: t("House bot"), guest: t("Guest") };

/**
 * Why a match ended, in every mode; a mode's texts.js adds its own.
 * @type {Record<string, string>}
 */
const REASONS = {
  surrender: t("A player gave up."),
  abandoned: t("The players left."),
  last_one_left: t("Only one player is left."),
  not_ready: t("Not everyone was ready in time."),
  outage: t("We lost a player’s connection. Nobody’s rating changes."),
  time: t("Time’s up."),
};

/**
 * The texts of refusals; those without an entry use the server's sentence.
 * @type {Record<string, string>}
 */
const REFUSALS = { rate_limited: t("Slow down a little.") };

/** Refusals that are nobody's mistake: the cell plays the refusal effect, without a text. */
const QUIET = ["match_over", "already_started", "starting"];

/** The same for revealing and flagging (games/engine/moves.py). */
export const QUIET_MOVES = ["already_open", "same_flag", "not_open", "chord_mismatch", "nothing_to_open", "flagged"];

/** Reasons for matches that ended because a player gave up or left. */
const STOPPED = ["surrender", "last_one_left", "abandoned"];

/** @param {string | undefined} words */
const sentence = (words) => words && `${words[0].toUpperCase()}${words.slice(1)}.`;

/**
 * createTexts(a mode's texts.js or null, its reasons in a few words) -> texts about its matches.
 * @param {ModeTexts | null} own
 * @param {Record<string, string>} short
 */
export function createTexts(own, short = {}) {
  const reasons = { ...REASONS, ...own?.reasons };
  const refusals = { ...REFUSALS, ...own?.refusals };
  const quiet = new Set([...QUIET, ...(own?.quiet ?? [])]);
  /** @param {Outcome} outcome */
  const otherwise = ({ aborted }) => (aborted ? t("The site ended the match.") : t("The match is over."));
  return {
    /**
     * Why the match ended.
     * @param {Outcome} outcome
     */
    reason: (outcome) => reasons[outcome.reason] ?? sentence(short[outcome.reason]) ?? otherwise(outcome),
    /**
     * Says who ended the match by giving up or leaving, as "you" or by name; null if it ended otherwise.
     * @param {Session} session
     */
    whoStopped(session) {
      const { outcome, seats } = session.view;
      if (!STOPPED.includes(outcome.reason)) return null;
      const early = outcome.aborted && outcome.absent?.length ? outcome.absent : null;
      const who = early ?? seats.flatMap(({ retired }, seat) => (retired === null ? [] : [seat]));
      return stoppedText(session, who, outcome.reason === "surrender") || null;
    },
    /** @param {Refusal} refusal */
    refusal: (refusal) => refusals[refusal.code] ?? errorText(refusal),
    /** @param {Refusal} refusal */
    isQuiet: ({ code }) => quiet.has(code),
  };
}

/** @param {number} rank */
export function place(rank) {
  return [t("1st"), t("2nd"), t("3rd"), t("4th"), t("5th"), t("6th")][rank - 1] ?? String(rank);
}
