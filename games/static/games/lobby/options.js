// optionsOf(form, presets): the fields named option-<name>, as the mode's options. `presets` maps a preset's
// name to its options.

export function optionsOf(form, presets = {}) {
  const options = {};
  for (const field of form.elements) {
    if (!field.name.startsWith("option-")) continue;
    const name = field.name.slice("option-".length);
    if (field.type === "checkbox") options[name] = field.checked;
    else if (name === "preset") Object.assign(options, presets[field.value]);
    else options[name] = Number(field.value);
  }
  return options;
}
