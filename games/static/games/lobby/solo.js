// /play/<mode>/ of a game for one: choose a board and begin.

import { pageData } from "site/dom.js";
import { t } from "site/i18n.js";

import { startMinis } from "./minis.js";
import { fillFrom, optionsOf } from "./options.js";
import { start } from "./quick.js";

const { mode } = pageData();
const form = document.getElementById("solo");
const custom = document.getElementById("custom");
const density = document.getElementById("density");
const boards = form.querySelector("[data-presets]");
const presets = boards ? JSON.parse(boards.dataset.presets) : {};
const field = (name) => form.elements[`option-${name}`];

function refresh({ target } = {}) {
  const { value } = form.elements.board ?? { value: "custom" };
  if (target?.name === "board" && value in presets) fillFrom(form, presets[value], [...custom.elements]);
  custom.hidden = value !== "custom";
  if (!field("mines") || !field("width") || !field("height")) return;
  const cells = field("width").value * field("height").value;
  field("mines").max = Math.max(1, cells - 1);
  const percent = Math.round((100 * field("mines").value) / cells);
  density.textContent = t("{percent} % of the cells are mines.", { percent });
}

form.addEventListener("input", refresh);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const button = form.querySelector("button.primary");
  if (button.hasAttribute("aria-busy")) return;
  start({ type: "solo", mode, options: optionsOf(form, presets[form.elements.board?.value]) }, button);
});
refresh();
startMinis(document.querySelectorAll("[data-mini]"));
