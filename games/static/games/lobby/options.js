// The fields of a mode's options, from games/option_form.py: each is named option-<name> and carries the kind
// of its value and its default.

/** @import { OptionField } from "games/lobby/types.d.ts" */

/**
 * The current value of a field, as the server expects it.
 * @param {OptionField} field
 */
function valueOf(field) {
  if (field.dataset.kind === "flag") return field.checked;
  if (field.value === "") return null; // the rules choose the value
  return field.dataset.kind === "number" ? Number(field.value) : field.value;
}

/** @param {OptionField} field @param {any} value */
function setValue(field, value) {
  if (field.dataset.kind === "flag") field.checked = value;
  else field.value = value ?? "";
}

/** @param {OptionField} field */
const nameOf = (field) => field.name.slice("option-".length);

/**
 * The option fields of a form, except the choice of a preset.
 * @param {HTMLFormElement} form
 * @returns {OptionField[]}
 */
const fieldsOf = (form) =>
  /** @type {OptionField[]} */ ([...form.elements]).filter(({ dataset }) => dataset.default !== undefined);

/**
 * The options that the chosen preset sets.
 * @param {HTMLFormElement} form
 * @returns {Record<string, any>}
 */
function presetOf(form) {
  /** @type {HTMLSelectElement | null} */
  const preset = form.querySelector("[data-kind=preset]");
  return preset ? (JSON.parse(preset.dataset.presets ?? "{}")[preset.value] ?? {}) : {};
}

/**
 * The options that a form asks for: those of its preset, and the player's own changes.
 * @param {HTMLFormElement} form
 * @param {Record<string, any>} [preset]
 */
export function optionsOf(form, preset = presetOf(form)) {
  const options = { ...preset };
  for (const field of fieldsOf(form)) {
    const name = nameOf(field);
    const value = valueOf(field);
    if (value !== (preset[name] ?? JSON.parse(field.dataset.default ?? "null"))) options[name] = value;
  }
  return options;
}

/**
 * Put a preset's values into the fields; the others go back to their defaults.
 * @param {HTMLFormElement} form
 * @param {Record<string, any>} values
 * @param {OptionField[]} [fields]
 */
export function fillFrom(form, values, fields = fieldsOf(form)) {
  for (const field of fields) setValue(field, values[nameOf(field)] ?? JSON.parse(field.dataset.default ?? "null"));
}

/**
 * Choosing a preset fills the other fields, including the number of players if the preset has one.
 * @param {HTMLFormElement} form
 */
export function startOptions(form) {
  /** @type {HTMLSelectElement | null} */
  const preset = form.querySelector("[data-kind=preset]");
  /** @type {HTMLSelectElement | null} */
  const size = form.querySelector("select[name=size]");
  preset?.addEventListener("change", () => {
    fillFrom(form, presetOf(form));
    const made = JSON.parse(preset.dataset.sizes ?? "{}")[preset.value];
    if (size && made) size.value = String(made);
  });
}
