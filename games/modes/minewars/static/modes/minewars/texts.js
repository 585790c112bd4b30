import { t } from "site/i18n.js";

/** The client retries such an order (orders.js). */
export const quiet = ["cooling_down"];

export const reasons = {
  conquest: t("Only one player is left."),
};
