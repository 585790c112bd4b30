// An invitation's page for host and guests: the players who have joined, the link to copy, the start.

import { find, findAll, pageData } from "site/dom.js";
import { errorText, t } from "site/i18n.js";
import { toast } from "site/toast.js";

import { goTo, lobby } from "games/lobby/shared.js";

const { token } = pageData();
const socket = lobby();

for (const button of findAll("[data-copy]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    /** @type {HTMLInputElement} */
    const field = find(button.dataset.copy ?? "");
    field.select();
    try {
      await navigator.clipboard.writeText(field.value);
      toast(t("Link copied."), { kind: "good" });
    } catch {
      toast(t("Your browser couldn’t copy the link. Please copy it yourself."));
    }
  });
}

for (const button of findAll("[data-leave]")) {
  button.hidden = false;
  button.addEventListener("click", () => socket.send({ type: "invite_leave", token }));
}

for (const form of /** @type {HTMLFormElement[]} */ (findAll("form[data-call]"))) {
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    event.stopPropagation(); // the page stays
    const name = String(new FormData(form).get("name")).trim();
    socket.send({ type: "invite_call", token, name });
    form.reset();
  });
}
socket.on("called", ({ name }) => toast(t("{name} knows of your invitation.", { name }), { kind: "good" }));

// Once a form is submitted, don't reload: that would cancel the navigation.
let leaving = false;
document.addEventListener("submit", () => {
  leaving = true;
});

/** @type {string | null} */
let known = null;
socket.follow("invitation", (message) => {
  if (message.token !== token || leaving) return;
  if (message.status === "started") return;
  const now = JSON.stringify([message.status, message.players]);
  // The invitation changed: reload to show the server's current page.
  if (known !== null && known !== now) location.reload();
  known = now;
});
socket.on("matched", ({ url }) => goTo(url));
socket.on("error", (message) => {
  if (message.for === "invite_leave" || message.for === "invite_call") toast(errorText(message), { kind: "bad" });
});
socket.open();
