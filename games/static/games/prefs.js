// The viewer's preferences. If there is an account (page-data: user.preferences), it is the authoritative
// store: changes are saved there, and this browser keeps a copy for pages without that data. A visitor
// without an account has only the browser's copy.

const KEY = "preferences";
const PATIENCE = 400; // ms in which changes are batched: a slider makes many

/** @typedef {(choices: Partial<Prefs>) => Promise<boolean>} Save stores choices; returns whether that worked */

/**
 * @typedef {object} Prefs
 * @property {string} palette a name in board/colours.js, or own: colour_1 to colour_6
 * @property {boolean} patterns hatch other players' areas
 * @property {boolean} flash flash the screen for a freeze or a hit
 * @property {string} flash_colour red, amber, blue, ink, or own: flash_own
 * @property {string} flash_own
 * @property {boolean} sound
 * @property {number} volume
 * @property {boolean} chord_middle
 * @property {boolean} chord_both
 * @property {boolean} chord_click
 * @property {number} long_press_ms
 * @property {boolean} flag_button
 * @property {boolean} question_marks a second press on a flag leaves a question mark
 * @property {boolean} haptics
 * @property {boolean} animations
 * @property {boolean} ask_first a strike or structure by touch waits for a second tap
 * @property {boolean} hints in the first matches
 * @property {boolean} chat beside matches
 * @property {string} keys that were changed (keys.js)
 * @property {string} colour_1 of the first seat, and so on
 * @property {string} colour_2
 * @property {string} colour_3
 * @property {string} colour_4
 * @property {string} colour_5
 * @property {string} colour_6
 * @property {string} pattern_1 of the first seat, and so on (board/colours.js)
 * @property {string} pattern_2
 * @property {string} pattern_3
 * @property {string} pattern_4
 * @property {string} pattern_5
 * @property {string} pattern_6
 */

/** @type {Prefs} */
export const DEFAULTS = {
  palette: "site",
  patterns: true,
  flash: true,
  flash_colour: "red",
  flash_own: "#c23c1c",
  sound: false,
  volume: 0.6,
  chord_middle: true,
  chord_both: true,
  chord_click: true,
  long_press_ms: 350,
  flag_button: true,
  question_marks: false,
  haptics: true,
  animations: true,
  ask_first: true,
  hints: true,
  chat: true,
  keys: "",
  colour_1: "#2f7fd0",
  colour_2: "#d2542c",
  colour_3: "#8f63c9",
  colour_4: "#a87500",
  colour_5: "#188a78",
  colour_6: "#c54b8b",
  pattern_1: "rising",
  pattern_2: "dots",
  pattern_3: "level",
  pattern_4: "falling",
  pattern_5: "upright",
  pattern_6: "grid",
};

/** @returns {Partial<Prefs>} */
function stored() {
  try {
    return sane(JSON.parse(localStorage.getItem(KEY) ?? "{}"));
  } catch {
    return {};
  }
}

/**
 * Keep a copy in this browser.
 * @param {Partial<Prefs>} prefs
 */
export function remember(prefs) {
  try {
    localStorage.setItem(KEY, JSON.stringify(sane(prefs)));
  } catch {
    // Without storage there is no copy.
  }
}

/**
 * Keeps only known names with values of the right type.
 * @param {object | null} raw
 * @returns {Partial<Prefs>}
 */
export function sane(raw) {
  const known = Object.entries(raw ?? {}).filter(
    ([name, value]) => typeof value === typeof Reflect.get(DEFAULTS, name),
  );
  return Object.fromEntries(known);
}

/**
 * @param {Partial<Prefs> | null} account the account's choices
 * @param {Save | null} save stores some of them there
 * @returns {Prefs}
 */
export function loadPrefs(account = null, save = null) {
  const prefs = { ...DEFAULTS, ...(account ? sane(account) : stored()) };
  if (account) remember(prefs);
  if (save) savers.set(prefs, createSaver(save));
  return prefs;
}

/** @type {WeakMap<Prefs, ReturnType<typeof createSaver>>} */
const savers = new WeakMap();

/**
 * Change one choice in `prefs`, here and in the account.
 * @template {keyof Prefs} Name
 * @param {Prefs} prefs
 * @param {Name} name
 * @param {Prefs[Name]} value
 */
export function setPref(prefs, name, value) {
  prefs[name] = value;
  remember(prefs);
  savers.get(prefs)?.put(name, value);
}

/**
 * Sends changes one request at a time, so that the last change arrives last.
 * @param {Save} save
 */
function createSaver(save) {
  /** @type {Partial<Prefs>} */
  let waiting = {};
  /** @type {number | null} */
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
    // Retry failed changes together with the next change.
    if (!saved) waiting = { ...sent, ...waiting };
    else if (Object.keys(waiting).length) later();
  }

  function later() {
    if (!busy) timer ??= setTimeout(flush, PATIENCE);
  }

  addEventListener("pagehide", flush); // the last chance to save
  return {
    /** @param {keyof Prefs} name @param {any} value */
    put(name, value) {
      Object.assign(waiting, { [name]: value });
      later();
    },
  };
}

/**
 * A `save` for loadPrefs that stores choices in the signed-in player's account.
 * @param {string} address
 * @param {string} csrf
 * @returns {Save}
 */
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
