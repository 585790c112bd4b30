// The settings page. What was chosen on a match page is kept in this browser and stands above the account's
// choices: so it is shown here first, and after saving the account's choices hold everywhere.

import { PALETTES, hatch, readColours, watchTheme } from "games/board/colours.js";
import { sane } from "games/prefs.js";

const KEY = "preferences";
const form = document.getElementById("preferences");
const swatches = document.getElementById("swatches");

function here() {
  try {
    return sane(JSON.parse(localStorage.getItem(KEY)));
  } catch {
    return {};
  }
}

for (const [name, value] of Object.entries(here())) {
  const field = form.elements[name];
  if (!field) continue;
  if (field.type === "checkbox") field.checked = value;
  else field.value = value;
}

form.addEventListener("submit", () => {
  try {
    localStorage.removeItem(KEY);
  } catch {
    // Without storage there is nothing to forget.
  }
});

function draw() {
  const palette = form.elements.palette.value;
  const colours = readColours(palette);
  swatches.replaceChildren(
    ...PALETTES.site.map((_, seat) => {
      const canvas = document.createElement("canvas");
      canvas.width = canvas.height = 48;
      const ctx = canvas.getContext("2d");
      ctx.fillStyle = colours.theirs[seat];
      ctx.fillRect(0, 0, 48, 48);
      if (form.elements.patterns.checked) hatch(ctx, seat, 48, colours.seats[seat]);
      ctx.strokeStyle = colours.seats[seat];
      ctx.lineWidth = 6;
      ctx.strokeRect(0, 0, 48, 48);
      return canvas;
    }),
  );
  swatches.hidden = false;
}

form.elements.palette.addEventListener("change", draw);
form.elements.patterns.addEventListener("change", draw);
watchTheme(draw);
draw();
