// On every page, for who is signed in: the way back to a running match, a match that begins, and
// challenges. The match page itself looks after its own match.

import { hideBanner, showBanner } from "site/banner.js";
import { errorText, t } from "site/i18n.js";
import { toast } from "site/toast.js";

import { modeTitle } from "./modes.js";
import { lobby } from "./shared.js";

const onMatchPage = () => location.pathname.startsWith("/match/");
const asked = new Map();

function showReturn({ url }) {
  if (location.pathname === url) return;
  showBanner(t("You have a match that is still running."), { href: url, label: t("Return to it") });
}

function begin({ url, source }) {
  if (onMatchPage() || source === "solo") return;
  hideBanner();
  location.assign(url);
}

function challenged(message) {
  asked.get(message.id)?.remove();
  asked.delete(message.id);
  const me = document.documentElement.dataset.user;
  if (message.status === "open" && message.to === me) return ask(message);
  if (message.from !== me) return;
  if (message.status === "declined") toast(t("{name} does not want to play now.", { name: message.to }));
  if (message.status === "expired") toast(t("{name} did not answer.", { name: message.to }));
}

function ask({ id, from, mode, rated }) {
  const what = { name: from, mode: modeTitle(mode) };
  const text = rated
    ? t("{name} challenges you to a rated match of {mode}.", what)
    : t("{name} challenges you to {mode}.", what);
  const answer = (yes) => lobby().send({ type: "challenge_answer", id, yes });
  const element = toast(text, { seconds: 0, action: { label: t("Accept"), run: () => answer(true) } });
  const decline = Object.assign(document.createElement("button"), { type: "button", textContent: t("Decline") });
  decline.addEventListener("click", () => {
    answer(false);
    element.remove();
  });
  element.lastElementChild.before(decline);
  asked.set(id, element);
}

function requeued({ absent }) {
  toast(t("{names} did not get ready. You are back in the queue, in your old place.", { names: absent.join(", ") }));
}

export function startEverywhere() {
  const socket = lobby();
  socket.on("return", showReturn);
  socket.on("matched", begin);
  socket.on("challenge", challenged);
  socket.on("requeued", requeued);
  socket.on("announce", ({ text }) => toast(text, { seconds: 30 }));
  socket.on("error", (message) => {
    if (message.for === "challenge_answer") toast(errorText(message), { kind: "bad" });
  });
  socket.open();
}
