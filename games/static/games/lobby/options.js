// The fields of a mode's options, as games/option_form.py makes them: each is named option-<name> and says
// what kind of value it has and what its default is.

/** What a field says now, as the server understands it. */
function valueOf(field) {
  if (field.dataset.kind === "flag") return field.checked;
  return field.dataset.kind === "number" ? Number(field.value) : field.value;
}

function setValue(field, value) {
  if (field.dataset.kind === "flag") field.checked = value;
  else field.value = value;
}

const nameOf = (field) => field.name.slice("option-".length);

/** The fields of a form that are options, but for the choice of a preset. */
const fieldsOf = (form) => [...form.elements].filter(({ dataset }) => dataset.default !== undefined);

/** The options that a form asks for; those left at their defaults are left out. */
export function optionsOf(form) {
  const options = {};
  const preset = form.querySelector("[data-kind=preset]");
  if (preset) Object.assign(options, JSON.parse(preset.dataset.presets)[preset.value]);
  for (const field of fieldsOf(form)) {
    const value = valueOf(field);
    if (JSON.stringify(value) !== field.dataset.default) options[nameOf(field)] = value;
    else delete options[nameOf(field)];
  }
  return options;
}

/** Put a preset's values into the fields; the others go back to their defaults. */
export function fillFrom(form, values, fields = fieldsOf(form)) {
  for (const field of fields) setValue(field, values[nameOf(field)] ?? JSON.parse(field.dataset.default));
}

/** Choosing a preset fills the other fields. */
export function startOptions(form) {
  const preset = form.querySelector("[data-kind=preset]");
  preset?.addEventListener("change", () => fillFrom(form, JSON.parse(preset.dataset.presets)[preset.value]));
}
