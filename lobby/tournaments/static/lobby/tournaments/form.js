// The form of a new tournament: presets fill the options, and the start is in the visitor's time zone.

import { find, toggle } from "site/dom.js";

import { startOptions } from "games/lobby/options.js";

/** @type {HTMLFormElement} */
const form = find("#new-tournament");
/** @type {HTMLSelectElement} */
const start = find("[name=start]", form);
/** @type {HTMLInputElement} */
const at = find("[name=at]", form);
/** @type {HTMLInputElement} */
const utc = find("[name=at_utc]", form);
/** @type {HTMLInputElement} */
const filled = find("[name=filled]", form);
/** @type {HTMLSelectElement | null} */
const preset = form.querySelector("[data-kind=preset]");

startOptions(form);

function follow() {
  toggle(find("#start-at"), start.value === "at");
  at.required = start.value === "at";
  utc.value = at.value ? new Date(at.value).toISOString() : "";
  // The fields now hold what the preset means.
  filled.value = preset?.value ?? "";
}

find("#start-zone").textContent = `(${Intl.DateTimeFormat().resolvedOptions().timeZone})`;
form.addEventListener("change", follow);
follow();
