// The host's and the guests' view of an invitation: who has come, the link to copy, the start.

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

// A form that was sent already leads on; loading this page again would call that off.
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
  // The server's page says best what is true now.
  if (known !== null && known !== now) location.reload();
  known = now;
});
socket.on("matched", ({ url }) => goTo(url));
socket.on("error", (message) => {
  if (message.for === "invite_leave") toast(errorText(message), { kind: "bad" });
});
socket.open();
