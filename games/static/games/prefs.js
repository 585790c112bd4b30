// The viewer's choices. Those of the account when there is one (page-data: user.preferences): it is the
// only store, a change goes there, and this browser keeps a copy for pages that do not bring them. A
// visitor without an account has only what this browser keeps.

const KEY = "preferences";
const PATIENCE = 400; // ms in which changes are gathered: a slider makes many

export const DEFAULTS = {
  palette: "site", // a name in board/colours.js, or own: colour_1 to colour_6
  patterns: true, // hatch other players' areas
  flash: true, // flash the screen for a freeze or a hit
  flash_colour: "red", // red, amber, blue, ink, or own: flash_own
  flash_own: "#c23c1c",
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
["#2f7fd0", "#d2542c", "#8f63c9", "#a87500", "#188a78", "#c54b8b"].forEach(
  (colour, i) => (DEFAULTS[`colour_${i + 1}`] = colour),
);
["rising", "dots", "level", "falling", "upright", "grid"].forEach(
  (pattern, i) => (DEFAULTS[`pattern_${i + 1}`] = pattern),
);

function stored() {
  try {
    return sane(JSON.parse(localStorage.getItem(KEY)));
  } catch {
    return {};
  }
}

/** Keep a copy in this browser. */
export function remember(prefs) {
  try {
    localStorage.setItem(KEY, JSON.stringify(sane(prefs)));
  } catch {
    // Without storage there is no copy.
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

/** loadPrefs(account?, save?): `account` has the account's choices; `save(choices)` stores some of them
    there and says with a promise whether that worked. */
export function loadPrefs(account = null, save = null) {
  const prefs = { ...DEFAULTS, ...(account ? sane(account) : stored()) };
  if (account) remember(prefs);
  if (save) savers.set(prefs, createSaver(save));
  return prefs;
}

const savers = new WeakMap();

/** Change one choice in `prefs`, here and in the account. */
export function setPref(prefs, name, value) {
  prefs[name] = value;
  remember(prefs);
  savers.get(prefs)?.put(name, value);
}

/** Sends what has changed, one message after the other: the last word is the last to arrive. */
function createSaver(save) {
  let waiting = {};
  let timer = null;
  let busy = false;

  async function flush() {
    timer = null;
    const sent = waiting;
    if (!Object.keys(sent).length) return;
    waiting = {};
    busy = true;
    const saved = await save(sent);
    busy = false;
    // What could not be stored goes with the next change.
    if (!saved) waiting = { ...sent, ...waiting };
    else if (Object.keys(waiting).length) later();
  }

  function later() {
    if (!busy) timer ??= setTimeout(flush, PATIENCE);
  }

  addEventListener("pagehide", flush); // now or never
  return {
    put(name, value) {
      waiting[name] = value;
      later();
    },
  };
}

/** A `save` for loadPrefs: to the account of who is signed in. */
export function saverTo(address, csrf) {
  return async (choices) => {
    try {
      const headers = { "X-CSRFToken": csrf, "Content-Type": "application/json" };
      const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(choices), keepalive: true });
      return answer.ok;
    } catch {
      return false;
    }
  };
}
