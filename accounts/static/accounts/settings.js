// The settings page: previews the choices, and warns about colours that are hard to tell apart.

import { context2d, find, findAll, h } from "site/dom.js";
import { t } from "site/i18n.js";

import { hatch, readColours, watchTheme } from "games/board/colours.js";
import { troubles } from "games/board/contrast.js";
import { remember } from "games/prefs.js";

/** @import { Colours } from "games/board/types.d.ts" */
/** @import { Prefs } from "games/prefs.js" */

/** @type {HTMLFormElement} */
const form = find("#preferences");
const rows = findAll("[data-seat]", form);

/** @param {string} name */
const field = (name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));

/** @returns {Prefs} */
function choices() {
  /** @type {Record<string, any>} */
  const chosen = {};
  for (const { name, type, checked, value } of /** @type {Iterable<HTMLInputElement>} */ (form.elements)) {
    if (!name) continue;
    if (type === "checkbox") chosen[name] = checked;
    else chosen[name] = type === "range" ? Number(value) : value;
  }
  return /** @type {Prefs} */ (chosen);
}

/** @param {HTMLCanvasElement} canvas @param {number} seat @param {Colours} colours @param {boolean} patterns */
function paint(canvas, seat, colours, patterns) {
  const ctx = context2d(canvas);
  ctx.clearRect(0, 0, 48, 48);
  ctx.fillStyle = colours.theirs[seat];
  ctx.fillRect(0, 0, 48, 48);
  if (patterns) {
    for (const [x, y] of [
      [0, 0],
      [24, 0],
      [0, 24],
      [24, 24],
    ]) {
      ctx.save();
      ctx.translate(x, y);
      hatch(ctx, colours.patterns[seat], 24, colours.seats[seat]);
      ctx.restore();
    }
  }
  ctx.strokeStyle = colours.seats[seat];
  ctx.lineWidth = 6;
  ctx.strokeRect(0, 0, 48, 48);
}

/** @param {string | number} trouble */
function hint(trouble) {
  if (trouble === "light") return t("hard to see on the light board");
  if (trouble === "dark") return t("hard to see on the dark board");
  return t("too similar to player {n}", { n: Number(trouble) + 1 });
}

// The server rejected this form: its values aren't stored, and its error messages stay until the next change.
const refused = form.querySelector(".seat-hint:not(:empty), .errorlist, [aria-invalid=true]");

/** @type {Record<string, (value: number) => string>} */
const AMOUNTS = { volume: (value) => `${Math.round(value * 100)} %`, long_press_ms: (value) => `${value} ms` };

/**
 * Show each slider's value as text. Hidden from screen readers, which announce it themselves.
 * @param {Prefs} prefs
 */
function showAmounts(prefs) {
  for (const [name, text] of Object.entries(AMOUNTS)) {
    const [label] = field(name).labels ?? [];
    const place = label.querySelector(".amount") ?? label.appendChild(h("span.amount", { "aria-hidden": "true" }));
    place.textContent = text(Reflect.get(prefs, name));
  }
}

function draw(hints = true) {
  const prefs = choices();
  showAmounts(prefs);
  const colours = readColours(prefs);
  const own = rows.map((_, seat) => Reflect.get(prefs, `colour_${seat + 1}`));
  rows.forEach((row, seat) => {
    paint(/** @type {HTMLCanvasElement} */ (find("canvas", row)), seat, colours, prefs.patterns);
    const found = prefs.palette === "own" ? troubles(own, seat) : [];
    const text = found.map(hint).join(", ");
    const place = find(".seat-hint", row);
    if (hints && place.textContent !== text) place.textContent = text;
  });
}

form.addEventListener("input", (event) => {
  // Picking a colour also selects the custom palette.
  const { name = "" } = /** @type {HTMLInputElement} */ (event.target);
  if (name.startsWith("colour_")) field("palette").value = "own";
  if (name === "flash_own") field("flash_colour").value = "own";
  draw();
});
watchTheme(() => draw(!refused));
if (!refused) remember(choices()); // the stored choices, for pages without the account's data
draw(!refused);
