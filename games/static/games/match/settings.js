// The settings panel on the match page: colours, sound, input. It shows only the settings that matter in this
// match and on this device; the settings page has all of them.

import { h, icon } from "site/dom.js";
import { t } from "site/i18n.js";

import { setPref } from "../prefs.js";

/** @import { Prefs } from "games/prefs.js" */

const PALETTE_NAMES = {
  site: t("Standard"),
  deuteranopia: t("Deuteranopia (green-blind)"),
  protanopia: t("Protanopia (red-blind)"),
  tritanopia: t("Tritanopia (blue-blind)"),
  safe: t("Safe for all types of colour vision"),
  contrast: t("High contrast"),
  grey: t("Shades of grey"),
  own: t("My own colours"),
};

const FLASH_NAMES = {
  red: t("Red"),
  amber: t("Amber"),
  blue: t("Blue"),
  ink: t("Black or white"),
  own: t("My own colour"),
};

/**
 * @typedef {object} Uses the features of this match and this device
 * @property {boolean} players there are several, each with a colour
 * @property {boolean} flashes the screen flashes when something hits the viewer
 * @property {boolean} plays the viewer is a player
 * @property {boolean} minefield cells can be flagged, and opened around a number
 * @property {boolean} holds a long press has a use
 * @property {boolean} orders the mode has its own keys, and orders to confirm
 * @property {boolean} touch
 * @property {boolean} mouse
 */

/** @type {[keyof Prefs, string, (uses: Uses) => boolean][]} */
const SWITCHES = [
  ["patterns", t("Patterns on areas"), ({ players }) => players],
  ["animations", t("Animations"), () => true],
  ["flash", t("Flash on a mine or a hit"), ({ flashes, plays }) => flashes && plays],
  ["sound", t("Sound"), () => true],
  ["chord_click", t("Click a number to open around it"), ({ minefield, plays }) => minefield && plays],
  [
    "chord_middle",
    t("Middle-click a number to open around it"),
    ({ minefield, plays, mouse }) => minefield && plays && mouse,
  ],
  [
    "chord_both",
    t("Press left and right together to open around a number"),
    ({ minefield, plays, mouse }) => minefield && plays && mouse,
  ],
  ["flag_button", t("Flag button"), ({ minefield, plays }) => minefield && plays],
  ["question_marks", t("Pressing a flag turns it into a question mark"), ({ minefield, plays }) => minefield && plays],
  ["haptics", t("Vibration"), ({ touch, plays }) => touch && plays],
  [
    "ask_first",
    t("On a touch screen, ask before a strike or a building"),
    ({ orders, plays, touch }) => orders && plays && touch,
  ],
  ["hints", t("Hints in the first matches"), ({ orders, plays }) => orders && plays],
  ["chat", t("Chat"), ({ players }) => players],
];

/**
 * Calls `changed(name)` after each choice. `more`: the address of the settings page, for players who have
 * one; `seal()` makes the board's seal, which has no other place on a phone; `keys()` returns a function that
 * opens the mode's own keys, or null; `uses()` returns the match's features, without the device's.
 * @param {Prefs} prefs
 * @param {(name: keyof Prefs) => void} changed
 * @param {{ more: string | null, seal: () => HTMLElement, keys: () => (() => void) | null,
 *   uses: () => Pick<Uses, "players" | "flashes" | "plays" | "minefield" | "holds"> }} options
 * @returns {{ open(): void }}
 */
export function createSettings(prefs, changed, { more, seal, keys, uses: inMatch }) {
  /** @param {keyof Prefs} name @param {any} value */
  const set = (name, value) => {
    setPref(prefs, name, value);
    changed(name);
  };

  function build() {
    /** @param {keyof Prefs} name @param {Record<string, string>} names */
    const select = (name, names) =>
      h(
        "select",
        { onchange: (event) => set(name, event.target.value) },
        Object.entries(names).map(([value, label]) => h("option", { value, selected: prefs[name] === value }, label)),
      );
    /** @param {keyof Prefs} name @param {number} min @param {number} max @param {number} step */
    const slider = (name, min, max, step) =>
      h("input", {
        type: "range",
        min,
        max,
        step,
        value: prefs[name],
        oninput: (event) => set(name, Number(event.target.value)),
      });
    const openKeys = keys();
    const [touch, mouse] = ["coarse", "fine"].map((kind) => matchMedia(`(any-pointer: ${kind})`).matches);
    const uses = { ...inMatch(), orders: openKeys !== null, touch, mouse };
    const { players, flashes, plays, minefield, holds } = uses;
    /** @type {HTMLDialogElement} */
    const dialog = h(
      "dialog.settings",
      { "aria-label": t("Settings") },
      h(
        "form",
        { method: "dialog" },
        h(
          "div.row.spread",
          {},
          h("h2", {}, t("Settings")),
          h("button.button.quiet.icon-only", { "aria-label": t("Close") }, icon("close")),
        ),
        players ? h("div.field", {}, h("label", {}, t("Player colours"), select("palette", PALETTE_NAMES))) : null,
        h(
          "div.settings-switches",
          {},
          SWITCHES.filter(([, , applies]) => applies(uses)).map(([name, label]) =>
            h(
              "label.switch",
              {},
              h("input", {
                type: "checkbox",
                role: "switch",
                checked: prefs[name],
                onchange: (event) => set(name, event.target.checked),
              }),
              label,
            ),
          ),
        ),
        flashes && plays
          ? h("div.field", {}, h("label", {}, t("Flash colour"), select("flash_colour", FLASH_NAMES)))
          : null,
        h("div.field", {}, h("label", {}, t("Volume"), slider("volume", 0, 1, 0.05))),
        touch && plays && holds
          ? h("div.field", {}, h("label", {}, t("Long-press delay"), slider("long_press_ms", 150, 900, 50)))
          : null,
        more && players
          ? h("p.small-text", {}, h("a.lone", { href: more, target: "_blank" }, t("Custom colours and patterns")))
          : null,
        openKeys
          ? h("button.button.small", { type: "button", onclick: () => (dialog.close(), openKeys()) }, t("Keys…"))
          : minefield && plays
            ? h(
                "p.soft.small-text.keys-help",
                {},
                t("Keys on the board: arrows move, Space or Enter open, F flags, C opens around a number, + − 0 zoom."),
              )
            : null,
        seal(),
      ),
    );
    document.body.append(dialog);
    dialog.addEventListener("close", () => dialog.remove());
    return dialog;
  }

  return { open: () => build().showModal() };
}
