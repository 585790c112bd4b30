// The brushes: what a press on the board does. Keys on the board choose and paint at once.

import { h, icon } from "site/dom.js";
import { t } from "site/i18n.js";

import { CLOSED, FLAG, MINE } from "./editor.js";

/** @import { Brush } from "./types.d.ts" */

/** What a key on the board paints. @type {Record<string, number>} */
const KEYS = {
  h: CLOSED,
  Backspace: CLOSED,
  Delete: CLOSED,
  m: MINE,
  x: MINE,
};

/** @param {KeyboardEvent} event @returns {number | null} */
export function paintedBy({ key, altKey, ctrlKey, metaKey }) {
  if (altKey || ctrlKey || metaKey) return null;
  if (/^[0-8]$/.test(key)) return Number(key);
  return KEYS[key.length === 1 ? key.toLowerCase() : key] ?? null;
}

/** @param {HTMLElement} holder */
export function createBrushes(holder) {
  /** @type {Brush} */
  let chosen = "inspect";
  /** @type {[Brush, string, Node | string][]} */
  const offered = [
    ["inspect", t("Look at a cell"), icon("search")],
    [CLOSED, t("Paint closed cells"), h("span.brush-closed", { "aria-hidden": "true" })],
    [FLAG, t("Paint flags"), icon("flag")],
    [MINE, t("Paint known mines"), icon("mine")],
    ...Array.from({ length: 9 }, (_, number) => {
      const shown = h(`span.brush-number.n${number}`, {}, String(number));
      return /** @type {[Brush, string, Node]} */ ([number, t("Paint the number {number}", { number }), shown]);
    }),
  ];
  const buttons = offered.map(([brush, label, shown]) => {
    const choose = () => ((chosen = brush), update());
    return h("button", { type: "button", title: label, "aria-label": label, onclick: choose }, shown);
  });
  holder.append(...buttons);

  function update() {
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(offered[i][0] === chosen)));
  }
  update();
  return {
    get chosen() {
      return chosen;
    },
  };
}
