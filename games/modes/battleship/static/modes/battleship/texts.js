import { t } from "site/i18n.js";

export const reasons = {
  fleet_sunk: t("The whole fleet is sunk."),
  lapses: t("Missed three turns in a row."),
};

export const refusals = {
  not_your_turn: t("It’s your opponent’s turn."),
  already_bombed: t("You already bombed that cell. It’s still your turn."),
};
