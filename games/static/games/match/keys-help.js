// The list of keys in a match, opened with "?".

import { h, icon } from "site/dom.js";
import { t } from "site/i18n.js";

/** @typedef {{ minefield: boolean, zooms: boolean }} Uses the features of the match's boards */

/** @type {[string[], string, ((uses: Uses) => boolean)?][]} */
const KEYS = [
  [["←", "→", "↑", "↓"], t("move around the board; with Shift, by five cells")],
  [["Space", "Enter"], t("open a cell, or the cells around a number"), ({ minefield }) => minefield],
  [["Space", "Enter"], t("choose a cell"), ({ minefield }) => !minefield],
  [["F"], t("flag a cell"), ({ minefield }) => minefield],
  [["C"], t("open the cells around a number"), ({ minefield }) => minefield],
  [["N"], t("read out the cells around this one")],
  [["+", "−", "0"], t("zoom; 0 shows the whole board"), ({ zooms }) => zooms],
  [["?"], t("show this help")],
];

/** @param {Uses} uses */
export function showKeys(uses) {
  if (document.querySelector("dialog[open]")) return;
  /** @type {HTMLDialogElement} */
  const dialog = h(
    "dialog.keys",
    { "aria-label": t("Keys") },
    h(
      "form",
      { method: "dialog" },
      h(
        "div.row.spread",
        {},
        h("h2", {}, t("Keys")),
        h("button.button.quiet.icon-only", { "aria-label": t("Close") }, icon("close")),
      ),
      h(
        "dl.keys-list",
        {},
        KEYS.filter(([, , applies]) => applies?.(uses) ?? true).map(([keys, what]) =>
          h(
            "div",
            {},
            h(
              "dt",
              {},
              keys.map((key) => h("kbd", {}, key)),
            ),
            h("dd", {}, what),
          ),
        ),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
}
