// Solo matches: the face between the counters, F2 and R start a new match of the same kind without leaving
// the page.

import { h, icon } from "site/dom.js";
import { errorText, t } from "site/i18n.js";
import { toast } from "site/toast.js";

import { lobby } from "../lobby/shared.js";

/** @import { LobbyEvents } from "games/lobby/types.d.ts" */
/** @import { MatchData, MatchView, Session } from "games/match/types.d.ts" */

/** @typedef {{ id: string, url: string }} NewMatch */

/** Whether keys pressed here type text. @param {EventTarget | null} target */
const isTyping = (target) => target instanceof HTMLElement && target.matches("input, select, textarea, dialog *");

/**
 * @param {Session} session
 * @param {MatchData} data
 * @param {{ mode: MatchView, begin: (match: NewMatch) => void, signal: AbortSignal }} options
 */
export function createNewGame(session, data, { mode, begin, signal }) {
  const label = t("New game (F2 or R)");
  const button = h("button.button.face", { type: "button", title: label, "aria-label": label, onclick: start });
  let pressed = false;
  let drawn = "";
  let asked = false;

  function start() {
    if (asked || (session.playing && mode.fresh?.())) return;
    asked = true;
    if (session.playing) session.act({ type: "surrender" });
    const socket = lobby();
    const off = [
      socket.on("matched", ({ match, url, source }) => {
        if (source !== "solo") return;
        for (const end of off) end();
        begin({ id: match, url });
      }),
      socket.on("error", (error) => {
        if (error.for !== "solo") return;
        for (const end of off) end();
        asked = false;
        toast(errorText(error), { kind: "bad" });
      }),
    ];
    socket.send({ type: "solo", mode: data.match.mode, options: data.match.options });
  }

  function face() {
    const { phase, truth } = session.view;
    if (phase === "over") return truth?.won ? "face-won" : "face-lost";
    return pressed ? "face-tense" : "face-calm";
  }

  function update() {
    const now = face();
    if (now === drawn) return;
    drawn = now;
    button.replaceChildren(icon(now));
  }

  mode.element.addEventListener("pointerdown", () => ((pressed = true), update()));
  for (const type of ["pointerup", "pointercancel"])
    addEventListener(type, () => ((pressed = false), update()), { signal });
  addEventListener(
    "keydown",
    (event) => {
      const plain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.repeat;
      if (!plain || isTyping(event.target) || !["F2", "r", "R"].includes(event.key)) return;
      event.preventDefault();
      start();
    },
    { signal },
  );
  lobby().open();

  return {
    button,
    start,
    update,
    /** Whether the player has asked for a new match, so that the end of this one isn't shown. */
    get isAsked() {
      return asked;
    },
  };
}
