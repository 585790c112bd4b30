import { t } from "site/i18n.js";

import { QUIET_MOVES } from "games/match/texts.js";

export const reasons = {
  finished: t("The board is cleared."),
};

export const refusals = {
  locked: t("You’re locked for a moment."),
};

export const quiet = QUIET_MOVES;
