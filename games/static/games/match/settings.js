// The small panel of choices on the match page: colours, sound, input. All of them are on the
// settings page too.

import { h, icon } from "site/dom.js";
import { t } from "site/i18n.js";

import { setPref } from "../prefs.js";

/** @import { Prefs } from "games/prefs.js" */

const PALETTE_NAMES = {
  site: t("Standard"),
  deuteranopia: t("Deuteranopia (green-blind)"),
  protanopia: t("Protanopia (red-blind)"),
  tritanopia: t("Tritanopia (blue-blind)"),
  safe: t("Safe for every colour vision"),
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

/** @type {[keyof Prefs, string][]} */
const SWITCHES = [
  ["patterns", t("Patterns on areas")],
  ["animations", t("Animations")],
  ["flash", t("Flash on a mine or a hit")],
  ["sound", t("Sound")],
  ["chord_click", t("Click on a number opens around it")],
  ["chord_middle", t("Middle button opens around a number")],
  ["chord_both", t("Left and right together open around a number")],
  ["flag_button", t("Flag button")],
  ["haptics", t("Vibration")],
];

/**
 * createSettings(prefs, changed, { more, seal }) -> { open() }; `changed(name)` after each choice; `more`:
 * the address of the settings page for who has one; `seal()` makes the board's seal, which a phone has
 * no other place for.
 * @param {Prefs} prefs
 * @param {(name: keyof Prefs) => void} changed
 * @param {{ more: string | null, seal: () => HTMLElement }} options
 */
export function createSettings(prefs, changed, { more, seal }) {
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
        h("div.field", {}, h("label", {}, t("Colours of the players"), select("palette", PALETTE_NAMES))),
        h(
          "div.settings-switches",
          {},
          SWITCHES.map(([name, label]) =>
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
        h("div.field", {}, h("label", {}, t("Colour of the flash"), select("flash_colour", FLASH_NAMES))),
        h("div.field", {}, h("label", {}, t("Volume"), slider("volume", 0, 1, 0.05))),
        h("div.field", {}, h("label", {}, t("Long press until it counts"), slider("long_press_ms", 150, 900, 50))),
        more
          ? h("p.small-text", {}, h("a", { href: more, target: "_blank" }, t("Colours and patterns of your own")))
          : null,
        h(
          "p.soft.small-text.keys-help",
          {},
          t("Keys on the board: arrows move, Space or Enter open, F flags, C opens around a number, + − 0 zoom."),
        ),
        seal(),
      ),
    );
    document.body.append(dialog);
    dialog.addEventListener("close", () => dialog.remove());
    return dialog;
  }

  return { open: () => build().showModal() };
}
