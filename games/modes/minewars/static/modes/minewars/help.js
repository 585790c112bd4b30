// The dialog behind `?`: the keys, and whether structures ask before they are built.

import { h, icon } from "site/dom.js";
import { t } from "site/i18n.js";

import { TOOLS } from "./tools.js";

const STORE = "minewars-confirm";

/** Whether a tap with a structure asks for a second one. */
export const asksFirst = () => localStorage.getItem(STORE) !== "no";

const MOVES = [
  ["← → ↑ ↓", t("Move the cursor; W, E, Z and X go along the diagonals")],
  ["Enter", t("Use the armed tool; fire a strike; build a road")],
  ["Esc", t("Drop the order, back to Capture")],
  ["Shift", t("Held during a click: keep the tool armed")],
  [t("Space"), t("Held: what the others’ digits would be, as far as you know")],
  ["≡", t("The orders for the tile under the cursor (right button held, or long press)")],
  ["N", t("Next tile to capture; Shift+N: the one before")],
  ["T", t("Next city of yours")],
  ["C", t("Go to the last alert")],
  ["G", t("Next siege")],
  ["V", t("Regions and names of cities")],
  ["M", t("Read out the money")],
  ["P", t("Ping for your allies")],
  ["Q", t("Drop queued captures")],
  ["+ −", t("Zoom")],
  ["?", t("These keys")],
];

export function openHelp() {
  if (document.querySelector(".war-help")) return;
  const keys = [
    ...TOOLS.map(({ key, label }) => [key.toUpperCase(), label]),
    ...MOVES.map(([key, does]) => [key, does]),
  ];
  const dialog = h(
    "dialog.war-help",
    { "aria-labelledby": "war-help-title" },
    h(
      "form",
      { method: "dialog" },
      h(
        "div.row.spread",
        {},
        h("h2", { id: "war-help-title" }, t("Keys")),
        h("button.button.quiet.icon-only", { "aria-label": t("Close") }, icon("close")),
      ),
      h(
        "label.switch",
        {},
        h("input", {
          type: "checkbox",
          role: "switch",
          checked: asksFirst(),
          onchange: (event) => localStorage.setItem(STORE, event.target.checked ? "yes" : "no"),
        }),
        t("On a touch screen, ask before building"),
      ),
      h(
        "dl.war-keys",
        {},
        keys.map(([key, does]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, does))),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  dialog.showModal();
}
