import { t } from "site/i18n.js";

export const reasons = {
  conquest: t("Only one player is left."),
};
