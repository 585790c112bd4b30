// The ready check of a match: a button over the board; a press anywhere on the board does the same. A player
// who faces only bots is ready automatically. Once all are ready, shows a countdown over the board.

import { announce } from "site/announce.js";
import { h, setText, toggle } from "site/dom.js";
import { n, t } from "site/i18n.js";

import { secondsLeft } from "./time.js";

/** @import { Cover, MatchData, Session, Sound, View } from "games/match/types.d.ts" */

const PROGRAMS = ["house", "bot"];

/**
 * Whether everybody is ready and the countdown is running; then `setup_ends` is the start.
 * @param {View} view
 */
export const isStarting = ({ phase, seats }) => phase === "setup" && seats.every(({ ready }) => ready);

/** @param {Session} session @param {MatchData} data @param {Cover} cover @param {Sound} sound */
export function createReady(session, data, cover, sound) {
  const text = h("p");
  const button = h("button.button.primary.large.wide", { type: "button", autofocus: true }, t("I’m ready"));
  const hint = h("p.soft.small-text", {}, t("or click the board"));
  const sheet = h("div.sheet.ready", { role: "group", "aria-label": t("Ready?") }, text, button, hint);
  const number = h("b.countdown", { "aria-hidden": "true" });
  let sent = false;
  /** The number on screen; 0: none. */
  let shown = 0;

  function say() {
    if (sent) return;
    sent = true;
    session.act({ type: "ready" });
  }

  // The cover spans the whole board, so a press beside the sheet counts as a press on the board.
  cover.element.addEventListener("click", () => cover.element.contains(sheet) && say());

  const others = data.players.filter((_, seat) => seat !== session.seat);
  const onlyPrograms = others.length > 0 && others.every(({ kind }) => PROGRAMS.includes(kind));

  function countDown() {
    const ms = session.view.setup_ends - session.time();
    const left = Math.max(1, secondsLeft(ms)); // never 0: the server announces the start
    if (left !== shown) {
      if (!shown)
        announce(
          n("The match starts in {seconds} second.", "The match starts in {seconds} seconds.", left, { seconds: left }),
          "assertive",
        );
      shown = left;
      setText(number, String(left));
      sound.play("hurry");
      // The page updates a few times a second; a timer keeps the countdown's rhythm steadier.
      if (left > 1) setTimeout(update, ms - (left - 1) * 1000);
    }
    cover.put("ready", number);
  }

  function update() {
    const { view, seat } = session;
    if (isStarting(view)) return countDown();
    shown = 0;
    if (view.phase !== "setup" || seat === null || !data.match.ready_check) return cover.hide("ready");
    const { ready } = view.seats[seat];
    if (ready)
      sent = false; // ask again if the set-up starts over
    else if (onlyPrograms) say();
    const missing = view.seats.filter((one, other) => other !== seat && !one.ready).length;
    setText(
      text,
      ready || onlyPrograms
        ? t("Waiting for the others…")
        : missing
          ? t("The match starts when everybody is ready.")
          : n("Your opponent is ready.", "Everybody else is ready.", others.length),
    );
    toggle(button, !ready && !onlyPrograms);
    toggle(hint, !ready && !onlyPrograms);
    cover.put("ready", sheet);
  }

  return { update };
}
