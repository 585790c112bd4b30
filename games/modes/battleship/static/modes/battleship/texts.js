import { t } from "site/i18n.js";

export const reasons = {
  fleet_sunk: t("The whole fleet is sunk."),
  lapses: t("Three turns in a row ran out."),
};

export const refusals = {
  not_your_turn: t("It is the other player's turn."),
  already_bombed: t("That cell was bombed before. It is still your turn."),
};
