import { t } from "site/i18n.js";

/** Such an order is given again (orders.js). */
export const quiet = ["cooling_down"];

export const reasons = {
  conquest: t("Only one player is left."),
};
