// /play/<mode>/ of a game for one: choose a board and begin.

import { t } from "site/i18n.js";

import { startMinis } from "./minis.js";
import { start } from "./quick.js";

const { mode } = JSON.parse(document.getElementById("page-data").textContent);
const form = document.getElementById("solo");
const custom = document.getElementById("custom");
const density = document.getElementById("density");
const number = (name) => Number(form.elements[name].value);

function chosen() {
  const { value, dataset } = form.querySelector("[name=board]:checked");
  if (value === "custom") return { width: number("width"), height: number("height"), mines: number("mines") };
  return { width: Number(dataset.width), height: Number(dataset.height), mines: Number(dataset.mines) };
}

function refresh() {
  const own = form.elements.board.value === "custom";
  custom.hidden = !own;
  custom.disabled = !own;
  const { width, height, mines } = chosen();
  form.elements.mines.max = Math.max(1, width * height - 1);
  density.textContent = t("{percent} % of the cells are mines.", { percent: Math.round((100 * mines) / (width * height)) });
}

form.addEventListener("input", refresh);
form.addEventListener("submit", (event) => {
  event.preventDefault();
  const button = form.querySelector("button.primary");
  if (button.hasAttribute("aria-busy")) return;
  start({ type: "solo", mode, options: { ...chosen(), no_guess: form.elements.no_guess.checked } }, button);
});
refresh();
startMinis(document.querySelectorAll("[data-mini]"));
