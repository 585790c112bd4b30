// The buttons under the board or beside it: flag mode, zoom, sound, settings, giving up.

import { confirmDialog } from "site/dialog.js";
import { h, icon, toggle } from "site/dom.js";
import { t } from "site/i18n.js";

import { setPref } from "../prefs.js";
import { alliesOf, alliesText } from "./retired.js";

/** @import { AnyBoard } from "games/board/types.d.ts" */
/** @import { Session, Sound } from "games/match/types.d.ts" */
/** @import { Prefs } from "games/prefs.js" */

/** @param {Session} session @param {Prefs} prefs @param {{ settings: { open(): void }, sound: Sound }} options */
export function createToolbar(session, prefs, { settings, sound }) {
  /** @param {string} name @param {string} label @param {() => void} run */
  const button = (name, label, run) =>
    h("button.button.quiet.icon-only", { type: "button", title: label, "aria-label": label, onclick: run }, icon(name));
  /** @param {string} symbol @param {string} label @param {() => void} run */
  const text = (symbol, label, run) =>
    h(
      "button.button.quiet.icon-only.zoom",
      { type: "button", title: label, "aria-label": label, onclick: run },
      symbol,
    );
  /** @type {AnyBoard | null} */
  let board = null;

  const flag = h(
    "button.button.flag-mode",
    { type: "button", "aria-pressed": "false", onclick: () => setFlagMode(!board?.state.flagMode) },
    icon("flag"),
    h("span", {}, t("Flag")),
  );
  const speaker = button("mute", "", () => {
    setPref(prefs, "sound", !prefs.sound);
    show();
    sound.play("flag");
  });
  const giveUp = h("button.button.danger.small.give-up", { type: "button" }, icon("sign-out"), t("Give up"));
  const zoom = h(
    "span.zooms",
    {},
    text("−", t("Zoom out"), () => board?.zoom(0.8)),
    text("+", t("Zoom in"), () => board?.zoom(1.25)),
    text("⤢", t("Fit board"), () => board?.fit()),
  );

  /** @param {boolean} on */
  function setFlagMode(on) {
    board?.set({ flagMode: on });
    flag.setAttribute("aria-pressed", String(on));
    flag.classList.toggle("is-on", on);
  }

  function show() {
    const label = prefs.sound ? t("Sound is on") : t("Sound is off");
    if (speaker.title !== label) {
      speaker.replaceChildren(icon(prefs.sound ? "sound" : "mute"));
      speaker.title = label;
      speaker.setAttribute("aria-label", label);
      speaker.setAttribute("aria-pressed", String(prefs.sound));
    }
    const flags = Boolean(board?.flags);
    toggle(flag, flags && prefs.flag_button && session.playing && session.view.phase === "live");
    toggle(zoom, Boolean(board?.zooms));
    element.classList.toggle("is-crowded", Boolean(board?.isCrowded));
    toggle(giveUp, Boolean(session.view) && session.playing);
  }

  giveUp.addEventListener("click", async () => {
    const solo = session.view.seats.length === 1;
    const setup = session.view.phase === "setup";
    const allies = alliesText(alliesOf(session, session.seat ?? 0));
    const yes = await confirmDialog({
      title: t("Give up?"),
      text: solo
        ? t("This game will count as a loss.")
        : setup
          ? t("The match won’t take place.")
          : allies || t("You’ll be out of the match and rank behind everyone still playing."),
      yes: t("Give up"),
      no: t("Keep playing"),
      danger: true,
    });
    if (yes) session.act({ type: "surrender" });
  });

  speaker.classList.add("speaker");
  const element = h(
    "div.toolbar",
    { role: "toolbar", "aria-label": t("Tools") },
    h("div.board-tools", {}, flag, zoom),
    speaker,
    button("settings", t("Settings"), () => settings.open()),
    giveUp,
  );

  return {
    element,
    show,
    /**
     * Set the board that flag mode and zoom control.
     * @param {AnyBoard | null} next
     */
    use(next) {
      board = next;
      show();
    },
    setFlagMode,
  };
}
