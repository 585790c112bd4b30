import { t } from "site/i18n.js";

export const reasons = {
  cleared: t("The board is cleared."),
};

export const refusals = {
  frozen: t("You are frozen."),
  not_adjacent: t("From stage 2 on, you can only claim cells that touch your area."),
  exposed_mine: t("You can’t claim a mine that’s already exposed."),
};

export const quiet = ["own_cell", "not_hidden", "not_yours", "number_not_met", "nothing_hidden"];
