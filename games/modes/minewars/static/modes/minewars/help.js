// The dialog behind `?`, which lists the keys and lets players change them.

import { h, icon, setText } from "site/dom.js";
import { t } from "site/i18n.js";
import { createBindings, keyOf, keyText } from "games/keys.js";

import { PING, TOOLS } from "./tools.js";

/** @typedef {import("games/keys.js").Bindings} Bindings */

/** Actions that aren't tools. */
const MOVES = [
  { name: "foreign", key: "Space", label: t("Hold to show what the others’ digits would be, as far as you know") },
  { name: "frontier", key: "n", label: t("Go to the next tile you can capture; with Shift, to the previous one") },
  { name: "city", key: "t", label: t("Go to your next city (so does Tab after a click on the map)") },
  { name: "alert", key: "c", label: t("Go to the last alert") },
  { name: "siege", key: "g", label: t("Go to the next siege") },
  { name: "regions", key: "v", label: t("Show regions, city names and what their land earns") },
  { name: "money", key: "m", label: t("Read out your money") },
  { name: "queue", key: "q", label: t("Cancel queued captures") },
];

/** Keys that can't be changed. */
const FIXED = [
  ["← → ↑ ↓", t("Move the cursor; W, E, Z and X move diagonally")],
  ["Enter", t("Use the selected tool; on a marked tile, fire the strike or build the road")],
  ["Esc", t("Cancel the order and go back to Capture")],
  ["Shift", t("Hold while you click to keep the tool selected")],
  ["≡", t("Show the orders for the tile under the cursor (or hold the right button, or long-press)")],
  ["+ −", t("Zoom")],
  ["?", t("Show these keys")],
];
const TAKEN = ["w", "e", "z", "y", "x", "+", "-", "=", "?"];

/** @param {any} prefs @returns {Bindings} */
export const warKeys = (prefs) => createBindings(prefs, "minewars", [...TOOLS, PING, ...MOVES], TAKEN);

/** @param {Bindings} bindings @param {() => void} changed */
export function openHelp(bindings, changed) {
  if (document.querySelector(".war-help")) return;
  const status = h("p.war-help-status.small-text", { role: "status" });
  const reset = h(
    "button.button.small",
    { type: "button", onclick: () => (bindings.reset(), stop(), update(t("All keys are back to their defaults."))) },
    t("Reset keys"),
  );
  /** The action whose key is being chosen. @type {string | null} */
  let waiting = null;

  const rows = bindings.actions.map(({ name, label }) => {
    const button = h("button.war-key", { type: "button", onclick: () => listen(name) });
    return { name, label, button, element: h("div", {}, h("dt", {}, button), h("dd", {}, label)) };
  });

  /** @param {string} name */
  function listen(name) {
    waiting = name;
    update(t("Press the new key, or Esc to keep the old one."));
  }

  function stop() {
    waiting = null;
  }

  /** @param {string} text */
  function update(text = "") {
    for (const { name, label, button } of rows) {
      const key = keyText(bindings.key(name));
      setText(button, name === waiting ? "…" : key);
      button.setAttribute("aria-label", t("{action}: {key}. Change the key", { action: label, key }));
      button.classList.toggle("is-waiting", name === waiting);
    }
    reset.hidden = !bindings.isChanged;
    setText(status, text || t("Click a key to change it."));
    changed();
  }

  /** @type {HTMLDialogElement} */
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
      h("div.row.spread", {}, status, reset),
      h(
        "dl.war-keys",
        {},
        rows.map(({ element }) => element),
        FIXED.map(([key, does]) => h("div", {}, h("dt", {}, h("kbd", {}, key)), h("dd", {}, does))),
      ),
    ),
  );
  dialog.addEventListener(
    "keydown",
    (event) => {
      if (!waiting || ["Shift", "Control", "Alt", "Meta", "AltGraph"].includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      const name = waiting;
      if (event.key === "Tab") return;
      stop();
      if (event.key === "Escape") return update();
      const wrong = bindings.change(name, keyOf(event));
      update(wrong ?? t("Changed."));
    },
    { capture: true },
  );
  // Esc while the player chooses a key doesn't close the dialog.
  dialog.addEventListener("cancel", (event) => waiting && event.preventDefault());
  document.body.append(dialog);
  dialog.addEventListener("close", () => dialog.remove());
  update();
  dialog.showModal();
}
