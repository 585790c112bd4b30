// Runs on every page for signed-in players: the link back to a live match, matches that begin, challenges,
// and rematch requests. The match page handles rematches of its own match.

import { hideBanner, showBanner } from "site/banner.js";
import { callBack } from "site/call.js";
import { h } from "site/dom.js";
import { errorText, listed, n, t } from "site/i18n.js";
import { toast } from "site/toast.js";

import { modeTitle } from "../modes.js";
import { startBell } from "accounts/bell.js";
import { callToMatch } from "./call.js";
import { lobby } from "./shared.js";
import { startWaitingBar } from "./waiting-bar.js";

/** @import { Again, Challenge, LobbyEvents } from "games/lobby/types.d.ts" */

/** @type {Map<string, HTMLElement>} */
const asked = new Map(); // the questions on the page, by the id of their challenge or match
const me = () => document.documentElement.dataset.user;
let waitsFor = ""; // the mode of the queue that the player is in, as this page knows it

/** @param {LobbyEvents["return"]} match */
function showReturn({ url }) {
  if (location.pathname === url) return;
  // The match began while this page was reconnecting, so `matched` never reached it.
  if (waitsFor) begin({ url, source: "queue", mode: waitsFor });
  else showBanner(t("You have a match in progress."), { href: url, label: t("Return to match") });
}

/** @param {Pick<LobbyEvents["matched"], "url" | "source" | "mode">} match */
function begin({ url, source, mode }) {
  if (location.pathname === url || source === "solo") return;
  waitsFor = "";
  hideBanner();
  callToMatch({ url, mode });
}

/** @param {string} about */
function forget(about) {
  asked.get(about)?.remove();
  asked.delete(about);
}

/**
 * Show a question with two answers until the player answers it or `forget` removes it.
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

/** Ask about a challenge that was kept while the player was away, once in this tab. @param {string} id */
function isTold(id) {
  const key = `told:${id}`;
  const told = sessionStorage.getItem(key) !== null;
  sessionStorage.setItem(key, "1");
  return told;
}

/** @param {Challenge} challenge */
function challenged({ id, from, to, mode, rated, status, kept }) {
  forget(id);
  // The page with people shows all challenges that were kept.
  const isShown = kept && (document.querySelector("[data-challenges]") || (status === "open" && isTold(id)));
  if (status === "open" && to === me() && !isShown) {
    const what = { name: from, mode: modeTitle(mode) };
    const text = rated
      ? t("{name} challenges you to a rated match of {mode}.", what)
      : t("{name} challenges you to {mode}.", what);
    ask(id, text, t("Accept"), (yes) => lobby().send({ type: "challenge_answer", id, yes }));
    if (!kept) callBack({ text, url: location.pathname, tag: id });
  }
  if (from !== me()) return;
  if (status === "declined") toast(t("{name} declined your challenge.", { name: to }));
  if (status === "expired") toast(t("{name} didn’t answer.", { name: to }));
}

/**
 * Ask a player who has left the match page for a rematch. House bots always accept, so they aren't announced.
 * @param {Again} question
 */
function again({ match, players, answers, ended, new: next }) {
  forget(match);
  const asksThere = document.getElementById("match")?.dataset.match === match;
  const mine = players.findIndex(({ name }) => name === me());
  const wanting = players.filter(({ kind }, seat) => answers[seat] && seat !== mine && kind !== "house");
  if (asksThere || ended || next || answers[mine] !== null || !wanting.length) return;
  const text = n("{name} wants to play again!", "{name} want to play again!", wanting.length, {
    name: listed(wanting.map(({ name }) => name)),
  });
  ask(match, text, t("Again"), (yes) => lobby().send({ type: "again", match, yes }));
}

/** @param {LobbyEvents["tournament_starts"]} tournament */
function tournamentStarts({ name, url, mode }) {
  const text = t("Tournament {name} is starting", { name });
  callBack({ text, body: modeTitle(mode), url, tag: url });
  if (location.pathname === url) return;
  toast(text, { seconds: 60, action: { label: t("Go there"), run: () => location.assign(url) } });
}

/** @param {LobbyEvents["requeued"]} news */
function requeued({ absent }) {
  toast(
    n(
      "{names} wasn’t ready in time. You’re back in the queue and kept your place.",
      "{names} weren’t ready in time. You’re back in the queue and kept your place.",
      absent.length,
      { names: listed(absent) },
    ),
  );
}

export function startEverywhere() {
  const socket = lobby();
  startWaitingBar(socket);
  for (const type of /** @type {const} */ (["queued", "requeued"])) {
    socket.follow(type, ({ queues }) => (waitsFor = queues[0].split(":")[0]));
  }
  socket.on("unqueued", () => (waitsFor = ""));
  startBell(socket);
  socket.follow("return", showReturn);
  socket.on("matched", begin);
  socket.follow("challenge", challenged);
  socket.follow("again", again);
  socket.on("requeued", requeued);
  socket.on("tournament_starts", tournamentStarts);
  socket.on("announce", ({ text }) => toast(text, { seconds: 30 }));
  socket.on("error", (message) => {
    const here = message.for === "challenge_answer" || (message.for === "again" && !document.getElementById("match"));
    if (here) toast(errorText(message), { kind: "bad" });
  });
  socket.open();
}
