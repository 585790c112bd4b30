// The place of the chat on the match page. The chat itself is loaded once the match is on the page, and only for
// viewers who may talk and have not switched it off.

import { t } from "site/i18n.js";

/** @import { MatchData, Session } from "games/match/types.d.ts" */
/** @import { Prefs } from "games/prefs.js" */

/**
 * `after`: the element of the sidebar before the chat; `head`: gets the button of phones.
 * @param {Session} session
 * @param {MatchData} data
 * @param {Prefs} prefs
 * @param {{ root: HTMLElement, after: HTMLElement, head: HTMLElement, signal: AbortSignal }} place
 */
export function createChatPlace(session, data, prefs, { root, after, head, signal }) {
  /** @type {import("chat/panel.js").Chat | null} */
  let chat = null;
  let isAsked = false;
  let isOver = false;
  let phase = "";

  /** Whether there is somebody to talk to. */
  function hasOthers() {
    const others = data.players.filter(({ kind }, seat) => seat !== session.seat && kind !== "house");
    return data.players.length > 1 && (session.seat === null || others.length > 0);
  }

  async function load() {
    const { createChat } = await import("chat/panel.js");
    const { chatStyle = "" } = root.dataset;
    const me = data.user?.name ?? "";
    const { id } = data.match;
    const plays = session.seat !== null;
    const made = await createChat({
      room: plays ? `match:${id}` : `watch:${id}`,
      later: plays ? `watch:${id}` : "",
      hint: plays ? t("Wish your opponent good luck.") : t("No messages yet."),
      me,
      style: chatStyle,
      after,
      head,
      root,
      phase: () => session.view.phase,
    });
    if (signal.aborted) return made.end();
    signal.addEventListener("abort", made.end);
    chat = made;
    update();
  }

  function update() {
    if (!session.view || !data.user || !hasOthers()) return;
    if (!isAsked && prefs.chat) {
      const idle = window.requestIdleCallback ?? ((/** @type {() => void} */ run) => setTimeout(run, 200));
      isAsked = true;
      idle(load);
    }
    chat?.show(prefs.chat);
    if (isOver) chat?.addSpectators();
    // Called several times a second; only the phase changes what the chat shows.
    if (chat && phase !== session.view.phase) {
      phase = session.view.phase;
      chat.update();
    }
  }

  session.on("archived", () => {
    isOver = true;
    update();
  });

  return { update };
}
