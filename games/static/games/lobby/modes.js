// The modes by name, as games/modes.py has them.

import { t } from "site/i18n.js";

export const TITLES = {
  classic: () => t("Classic"),
  race: () => t("Race"),
  "area-attack": () => t("Area Attack"),
  battleship: () => t("Battleship"),
  minewars: () => t("MineWars"),
};

export const modeTitle = (mode) => TITLES[mode]?.() ?? mode;
