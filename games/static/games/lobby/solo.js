// /play/<mode>/ of a solo mode: choose a board and start.

import { find, findAll, pageData } from "site/dom.js";
import { t } from "site/i18n.js";

import { startMinis } from "./minis.js";
import { fillFrom, optionsOf } from "./options.js";
import { start } from "./quick.js";

/** @import { OptionField } from "games/lobby/types.d.ts" */

const { mode } = pageData();
/** @type {HTMLFormElement} */
const form = find("#solo");
/** @type {HTMLFieldSetElement} */
const custom = find("#custom");
const density = document.getElementById("density");
/** @type {HTMLElement | null} */
const boards = form.querySelector("[data-presets]");
const presets = boards ? JSON.parse(boards.dataset.presets ?? "{}") : {};
/** @param {string} name @returns {OptionField | null} */
const field = (name) => /** @type {OptionField | null} */ (form.elements.namedItem(`option-${name}`));

/** The name of the chosen preset, or `custom`. */
function chosenBoard() {
  const board = /** @type {RadioNodeList | null} */ (form.elements.namedItem("board"));
  return board ? board.value : "custom";
}

/** @param {Event} [event] */
function refresh(event) {
  const value = chosenBoard();
  const chosen = event?.target instanceof HTMLInputElement && event.target.name === "board";
  if (chosen && value in presets) fillFrom(form, presets[value], /** @type {any} */ ([...custom.elements]));
  custom.hidden = value !== "custom";
  const [width, height, mines] = ["width", "height", "mines"].map(field);
  if (!width || !height || !mines || !density) return;
  const cells = Number(width.value) * Number(height.value);
  mines.max = String(Math.max(1, cells - 1));
  const percent = Math.round((100 * Number(mines.value)) / cells);
  density.textContent = t("{percent}% of the cells are mines.", { percent });
}

const KEY = `board:${mode}`;

/** The board last played in this browser, so that the player can start it again with one press. */
function remembered() {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null");
  } catch {
    return null;
  }
}

/** @param {{ board: string, options: Record<string, any> } | null} last */
function choose(last) {
  const radio = last && form.querySelector(`[name=board][value="${CSS.escape(last.board)}"]`);
  if (!last || !(radio instanceof HTMLInputElement)) return;
  radio.checked = true;
  fillFrom(form, { ...presets[last.board], ...last.options });
}

form.addEventListener("input", refresh);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const button = find("button.primary", form);
  if (button.hasAttribute("aria-busy")) return;
  const board = chosenBoard();
  const options = optionsOf(form, presets[board]);
  try {
    localStorage.setItem(KEY, JSON.stringify({ board, options }));
  } catch {
    // Without storage the next visit starts with the default board.
  }
  start({ type: "solo", mode, options }, button);
});
choose(remembered());
refresh();
startMinis(findAll("[data-mini]"));
