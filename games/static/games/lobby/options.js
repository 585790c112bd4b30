// optionsOf(form): the fields named option-<name>, as the mode's options.

const PRESETS = {
  beginner: { width: 9, height: 9, mines: 10 },
  intermediate: { width: 16, height: 16, mines: 40 },
  expert: { width: 30, height: 16, mines: 99 },
};

export function optionsOf(form) {
  const options = {};
  for (const field of form.elements) {
    if (!field.name.startsWith("option-")) continue;
    const name = field.name.slice("option-".length);
    if (field.type === "checkbox") options[name] = field.checked;
    else if (name === "preset") Object.assign(options, PRESETS[field.value] ?? { preset: field.value });
    else options[name] = Number(field.value);
  }
  return options;
}
