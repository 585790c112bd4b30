// The page with people: follows, who is here right now, and challenges that were kept.

import { closest, find, findAll, h, toggle } from "site/dom.js";
import { errorText, t } from "site/i18n.js";
import { toast } from "site/toast.js";

import { callToMatch } from "games/lobby/call.js";
import { lobby } from "games/lobby/shared.js";
import { modeTitle } from "games/modes.js";

/** @import { Challenge, Whereabouts } from "games/lobby/types.d.ts" */

const socket = lobby();
const live = document.querySelector("[data-live]");
const waiting = find("[data-challenges]");
const me = document.documentElement.dataset.user;

/** @param {string} name @returns {HTMLElement[]} */
const rowsOf = (name) => findAll(".person[data-name]").filter((row) => row.dataset.name === name);

// -- who is here

/** @param {HTMLElement} row @param {Whereabouts} where */
function place(row, { online, playing, mode, url }) {
  const text = playing && mode ? t("Playing {mode}", { mode: modeTitle(mode) }) : t("Online");
  row.classList.toggle("is-here", online);
  find("[data-where]", row).replaceChildren(
    ...(online ? [h("span.here"), url ? h("a.lone", { href: url }, text) : h("span", {}, text)] : []),
  );
}

if (live) {
  socket.on("people", ({ players }) => {
    for (const where of players) for (const row of rowsOf(where.name)) place(row, where);
    // Those who are here come first; otherwise the order stays.
    const rows = [...live.children];
    const sorted = [...rows.filter(isHere), ...rows.filter((row) => !isHere(row))];
    if (sorted.some((row, at) => row !== rows[at])) live.append(...sorted);
  });
  // The server forgets it when the connection breaks.
  socket.follow("hello", () => socket.send({ type: "people", on: true }));
}

/** @param {Element} row */
function isHere(row) {
  return row.classList.contains("is-here");
}

// -- follow, block

document.addEventListener("click", (event) => {
  const button = closest(event, "[data-follow], [data-unblock]");
  const name = button?.closest(".person")?.getAttribute("data-name");
  if (!button || !name) return;
  const following = button.getAttribute("aria-pressed") === "true";
  if (button.hasAttribute("data-unblock")) socket.send({ type: "unblock", name });
  else socket.send({ type: following ? "unfollow" : "follow", name });
});

socket.on("following", ({ name, on }) => {
  for (const row of rowsOf(name)) {
    const button = row.querySelector("[data-follow]");
    button?.setAttribute("aria-pressed", String(on));
    button?.classList.toggle("quiet", on);
    button?.replaceChildren(on ? t("Following") : t("Follow"));
  }
});

socket.on("blocks", ({ names }) => {
  for (const button of findAll("[data-unblock]")) {
    const row = button.closest(".person");
    if (!names.includes(row?.getAttribute("data-name") ?? "")) row?.remove();
  }
});

// -- challenges

/** @param {string} answer @param {string} label */
const button = (answer, label) =>
  h(`button.button.small${answer === "yes" ? ".primary" : ".quiet"}`, { type: "button", "data-answer": answer }, label);

/** @param {Challenge} challenge */
function row({ id, from, to, mode }) {
  const what = { name: from === me ? to : from, mode: modeTitle(mode) };
  const text = from === me ? t("You challenged {name} to {mode}.", what) : t("{name} challenges you to {mode}.", what);
  const buttons =
    from === me ? [button("cancel", t("Withdraw"))] : [button("yes", t("Accept")), button("no", t("Decline"))];
  return h(
    "li.person",
    { "data-challenge": id },
    h("span.person-who", {}, h("span", {}, text)),
    h("span.row", {}, buttons),
  );
}

socket.follow("challenge", (challenge) => {
  if (!challenge.kept && challenge.status === "open") return; // a live one is asked about elsewhere
  const list = find("[data-challenge-list]");
  const known = findAll("[data-challenge]", list).find(({ dataset }) => dataset.challenge === challenge.id);
  if (challenge.status !== "open") known?.remove();
  else if (!known) list.append(row(challenge));
  toggle(waiting, list.children.length > 0);
});

waiting.addEventListener("click", (event) => {
  const pressed = closest(event, "[data-answer]");
  const id = pressed?.closest("[data-challenge]")?.getAttribute("data-challenge");
  if (!pressed || !id) return;
  const { answer } = pressed.dataset;
  if (answer === "cancel") socket.send({ type: "challenge_cancel", id });
  else socket.send({ type: "challenge_answer", id, yes: answer === "yes" });
});

socket.on("matched", callToMatch);
socket.on("error", (message) => {
  if (["follow", "unfollow", "block", "unblock", "challenge_cancel"].includes(message.for ?? ""))
    toast(errorText(message), { kind: "bad" });
});
socket.open();
