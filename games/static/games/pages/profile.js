// A player's page, for other players: whether they are here, and what one can do: follow, challenge, block.

import { find, h, setText, toggle } from "site/dom.js";
import { errorText, n, t } from "site/i18n.js";

import { lobby } from "../lobby/shared.js";
import { modeTitle } from "../modes.js";

/** @import { Whereabouts } from "games/lobby/types.d.ts" */

/**
 * @typedef {Whereabouts & { following: boolean, follows_you: boolean, followers: number, blocked: boolean,
 *   may_follow: boolean, may_challenge: boolean, modes: { name: string, rated: boolean }[] }} Person the answer of state.json
 */

const acts = find(".profile-acts");
const name = acts.dataset.person ?? "";
const kind = acts.dataset.kind ?? "";
const follow = find("[data-follow]", acts);
const challenge = find("[data-challenge]", acts);
const block = find("[data-block]", acts);
const note = find("[data-note]", acts);
/** @type {HTMLDialogElement} */
const dialog = find(".challenge-dialog");
/** @type {HTMLFormElement} */
const form = find("form", dialog);
/** @type {HTMLSelectElement} */
const choice = find("select", form);
const socket = lobby();
/** @type {Person | null} */
let person = null;

/** @type {Record<string, () => string>} */
const CHALLENGE = {
  open: () => t("You challenged {name}. Waiting for an answer…", { name }),
  kept: () => t("{name} is away. Your challenge is open for a day.", { name }),
  declined: () => t("{name} declined your challenge.", { name }),
  expired: () => t("{name} didn’t answer.", { name }),
  cancelled: () => t("You withdrew the challenge."),
  accepted: () => t("{name} accepted. The match is starting.", { name }),
};

/** @param {Person} found */
function showPresence({ online, playing, mode, url, follows_you: back, followers }) {
  const line = find("[data-presence]");
  const text = playing && mode ? t("Playing {mode}", { mode: modeTitle(mode) }) : t("Online");
  line.replaceChildren(
    ...(online ? [h("span.here"), url ? h("a.lone", { href: url }, text) : text] : []),
    ...(followers ? [h("span.soft", {}, n("{n} follower", "{n} followers", followers))] : []),
    ...(back ? [h("span.badge", {}, t("follows you"))] : []),
  );
  line.hidden = !line.children.length;
}

function show() {
  if (!person) return;
  const { following, blocked } = person;
  toggle(follow, (person.may_follow || following) && !blocked);
  follow.setAttribute("aria-pressed", String(following));
  setText(find("span", follow), following ? t("Following") : t("Follow"));
  follow.setAttribute("aria-label", following ? t("Unfollow {name}", { name }) : t("Follow {name}", { name }));
  toggle(challenge, person.may_challenge && !blocked && person.modes.length > 0);
  toggle(block, kind !== "house");
  block.setAttribute("aria-pressed", String(blocked));
  setText(find("span", block), blocked ? t("Unblock") : t("Block"));
  showPresence(person);
}

follow.addEventListener("click", () => socket.send({ type: person?.following ? "unfollow" : "follow", name }));
block.addEventListener("click", () => socket.send({ type: person?.blocked ? "unblock" : "block", name }));
challenge.addEventListener("click", () => dialog.showModal());
form.addEventListener("change", () => {
  /** @type {HTMLInputElement | null} */
  const rated = form.querySelector("[name=rated]");
  if (!rated) return;
  rated.disabled = !person?.modes.find((mode) => mode.name === choice.value)?.rated;
  if (rated.disabled) rated.checked = false;
});
dialog.addEventListener("close", () => {
  if (dialog.returnValue !== "yes") return;
  const fields = new FormData(form);
  const keep = document.documentElement.dataset.kind === "registered";
  socket.send({ type: "challenge", to: name, mode: choice.value, rated: fields.has("rated"), keep });
});

socket.on("following", (message) => {
  if (!person || message.name !== name) return;
  person.following = message.on;
  setText(note, message.on ? t("You follow {name}.", { name }) : t("You no longer follow {name}.", { name }));
  show();
});
socket.on("blocks", ({ names }) => {
  if (!person) return;
  person.blocked = names.includes(name);
  if (person.blocked) person.following = false;
  setText(note, person.blocked ? t("You won’t be matched with {name} again.", { name }) : "");
  show();
});
socket.follow("challenge", ({ from, to, status, kept }) => {
  if (from !== document.documentElement.dataset.user || to !== name) return;
  setText(note, (kept && status === "open" ? CHALLENGE.kept : CHALLENGE[status])?.() ?? "");
});
socket.on("error", (message) => {
  const ours = ["challenge", "block", "unblock", "follow", "unfollow"];
  if (ours.includes(message.for ?? "")) setText(note, errorText(message));
});

const answer = await fetch(acts.dataset.state ?? "", { headers: { accept: "application/json" } });
if (answer.ok) {
  person = /** @type {Person} */ (await answer.json());
  choice.append(...person.modes.map((mode) => h("option", { value: mode.name }, modeTitle(mode.name))));
  form.dispatchEvent(new Event("change"));
  show();
}
