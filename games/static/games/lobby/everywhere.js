// On every page, for who is signed in: the way back to a running match, a match that begins,
// challenges, and who wants to play again. The match page itself asks about its own match.

import { hideBanner, showBanner } from "site/banner.js";
import { h } from "site/dom.js";
import { errorText, t } from "site/i18n.js";
import { toast } from "site/toast.js";

import { modeTitle } from "../modes.js";
import { goTo, lobby } from "./shared.js";

/** @import { Again, Challenge, LobbyEvents } from "games/lobby/types.d.ts" */

/** @type {Map<string, HTMLElement>} */
const asked = new Map(); // the question on the page, by what it is about
const me = () => document.documentElement.dataset.user;

/** @param {LobbyEvents["return"]} match */
function showReturn({ url }) {
  if (location.pathname === url) return;
  showBanner(t("You have a match that is still running."), { href: url, label: t("Return to it") });
}

/** @param {LobbyEvents["matched"]} match */
function begin({ url, source }) {
  if (location.pathname === url || source === "solo") return;
  hideBanner();
  goTo(url);
}

/** @param {string} about */
function forget(about) {
  asked.get(about)?.remove();
  asked.delete(about);
}

/**
 * A question with two answers, on the page until it is answered or forgotten.
 * @param {string} about
 * @param {string} text
 * @param {string} label
 * @param {(yes: boolean) => void} answer
 */
function ask(about, text, label, answer) {
  const element = toast(text, { seconds: 0, action: { label, run: () => answer(true) } });
  const onclick = () => {
    answer(false);
    element.remove();
  };
  const decline = h("button", { type: "button", onclick }, t("Decline"));
  element.lastElementChild?.before(decline);
  asked.set(about, element);
}

/** @param {Challenge} challenge */
function challenged({ id, from, to, mode, rated, status }) {
  forget(id);
  if (status === "open" && to === me()) {
    const what = { name: from, mode: modeTitle(mode) };
    const text = rated
      ? t("{name} challenges you to a rated match of {mode}.", what)
      : t("{name} challenges you to {mode}.", what);
    ask(id, text, t("Accept"), (yes) => lobby().send({ type: "challenge_answer", id, yes }));
  }
  if (from !== me()) return;
  if (status === "declined") toast(t("{name} does not want to play now.", { name: to }));
  if (status === "expired") toast(t("{name} did not answer.", { name: to }));
}

/**
 * For who has left the page of the match; the house says yes to everybody and is not announced.
 * @param {Again} question
 */
function again({ match, players, answers, ended, new: next }) {
  forget(match);
  const asksThere = document.getElementById("match")?.dataset.match === match;
  const mine = players.findIndex(({ name }) => name === me());
  const wanting = players.filter(({ kind }, seat) => answers[seat] && seat !== mine && kind !== "house");
  if (asksThere || ended || next || answers[mine] !== null || !wanting.length) return;
  const text = t("{name} wants to play again!", { name: wanting.map(({ name }) => name).join(", ") });
  ask(match, text, t("Again"), (yes) => lobby().send({ type: "again", match, yes }));
}

/** @param {LobbyEvents["requeued"]} news */
function requeued({ absent }) {
  toast(t("{names} did not get ready. You are back in the queue, in your old place.", { names: absent.join(", ") }));
}

export function startEverywhere() {
  const socket = lobby();
  socket.on("return", showReturn);
  socket.on("matched", begin);
  socket.on("challenge", challenged);
  socket.on("again", again);
  socket.on("requeued", requeued);
  socket.on("announce", ({ text }) => toast(text, { seconds: 30 }));
  socket.on("error", (message) => {
    const here = message.for === "challenge_answer" || (message.for === "again" && !document.getElementById("match"));
    if (here) toast(errorText(message), { kind: "bad" });
  });
  socket.open();
}
