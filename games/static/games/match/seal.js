// The seal of the board, shown before the first move: SHA-256 of the secret that decides the match.

import { h, icon } from "site/dom.js";
import { t } from "site/i18n.js";

/** @param {string} seal */
export function createSeal(seal) {
  return h(
    "details.seal",
    {},
    h(
      "summary",
      {},
      icon("lock"),
      h("span", {}, t("Sealed before the first move")),
      h("code", { "aria-hidden": "true" }, seal.slice(0, 8)),
    ),
    h(
      "p.soft.small-text",
      {},
      t(
        "This is the SHA-256 hash of the secret that generates the board. We reveal the secret after the match, and the replay lets your browser check that it matches.",
      ),
    ),
    h("code.seal-whole", {}, seal),
  );
}
