// The viewer's choices. From the account when the page brings them (page-data: user.preferences), over
// them what this browser was told (guests have only that).

const KEY = "preferences";

export const DEFAULTS = {
  palette: "site", // a name in board/colours.js
  patterns: true, // hatch other players' areas
  flash: true, // flash the screen for a freeze or a hit
  flash_colour: "red", // red, amber, blue, ink
  sound: false,
  volume: 0.6,
  chord_middle: true,
  chord_both: true,
  chord_click: true,
  long_press_ms: 350,
  flag_button: true,
  haptics: true,
  animations: true,
};

function stored() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}

/** Only known names, and values of the right kind. */
export function sane(raw) {
  const known = {};
  for (const [name, value] of Object.entries(raw ?? {})) {
    if (name in DEFAULTS && typeof value === typeof DEFAULTS[name]) known[name] = value;
  }
  return known;
}

export function loadPrefs(account = {}) {
  return { ...DEFAULTS, ...sane(account), ...sane(stored()) };
}

/** Change one choice in `prefs` and remember it here. */
export function setPref(prefs, name, value) {
  prefs[name] = value;
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...stored(), [name]: value }));
  } catch {
    // Without storage it holds for this page.
  }
}
