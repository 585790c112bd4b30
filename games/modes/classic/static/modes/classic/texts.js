import { t } from "site/i18n.js";

import { QUIET_MOVES } from "games/match/texts.js";

export const reasons = {
  cleared: t("The board is cleared."),
  mine: t("You hit a mine."),
};

export const refusals = {
  start_first: t("Start at the marked cell."),
};

export const quiet = QUIET_MOVES;
