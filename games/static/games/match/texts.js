// Sentences about a match that several parts of the page need.

import { errorText, t } from "site/i18n.js";

export const MODE_NAMES = {
  classic: t("Classic"),
  race: t("Race"),
  "area-attack": t("Area Attack"),
  battleship: t("Battleship"),
  minewars: t("MineWars"),
};

export const KIND_BADGES = { bot: t("Bot"), house: t("House bot"), guest: t("Guest") };

const REASONS = {
  cleared: t("The board is cleared."),
  mine: t("That was a mine."),
  surrender: t("Given up."),
  abandoned: t("The players left."),
  last_one_left: t("Only one player is left."),
  conquest: t("Only one player is left."),
  not_ready: t("Not everybody was ready in time."),
  finished: t("The board is cleared."),
  time: t("The time is over."),
  fleet_sunk: t("The whole fleet is sunk."),
  lapses: t("Three turns in a row ran out."),
};

export const reasonText = (reason) => REASONS[reason] ?? t("The match was ended by the site.");

/** What refusals say; the server's own sentence for those that are not here. */
const REFUSALS = {
  locked: t("You are locked for a moment."),
  frozen: t("You are frozen."),
  not_adjacent: t("From stage 2 on, claim cells that touch your own area."),
  exposed_mine: t("That mine is known. It can't be claimed."),
  not_your_turn: t("It is the other player's turn."),
  already_bombed: t("That cell was bombed before. It is still your turn."),
  start_first: t("This board begins at its marked cell."),
  rate_limited: t("Slow down a little."),
};

export const refusalText = (refusal) => REFUSALS[refusal.code] ?? errorText(refusal);

/** Refusals that are nobody's mistake: the cell shows a short no, without words. */
export const QUIET = new Set([
  "already_open", "same_flag", "not_open", "chord_mismatch", "nothing_to_open", "flagged",
  "own_cell", "not_hidden", "not_yours", "number_not_met", "nothing_hidden", "match_over", "already_started",
]);

export function place(rank) {
  return [t("1st"), t("2nd"), t("3rd"), t("4th"), t("5th"), t("6th")][rank - 1] ?? String(rank);
}
