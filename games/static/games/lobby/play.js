// /play/<mode>/: queue, invite, challenge. The waiting panel shows the server's state, so that a reload or a second
// tab shows the same.

import { find, findAll, pageData } from "site/dom.js";
import { errorText, t } from "site/i18n.js";
import { toast } from "site/toast.js";

import { startMinis } from "./minis.js";
import { startChallenge } from "./challenge.js";
import { startCounts } from "./counts.js";
import { becomePlayer } from "./guest.js";
import { optionsOf, startOptions } from "./options.js";
import { callToMatch } from "./call.js";
import { goTo, lobby } from "./shared.js";
import { createWaiting } from "./waiting.js";

/** @import { Message } from "games/net/socket.js" */

const { mode } = pageData();
const socket = lobby();
/** @type {HTMLFormElement} */
const queueForm = find("#queue");
const button = find("#find");
createWaiting(socket, mode, { onChange: (isWaiting) => (queueForm.hidden = isWaiting) });

/** @param {boolean} on */
const busy = (on) => (on ? button.setAttribute("aria-busy", "true") : button.removeAttribute("aria-busy"));

/** @param {() => void} run */
async function asPlayer(run) {
  try {
    await becomePlayer();
    run();
  } catch (error) {
    busy(false);
    toast(/** @type {Error} */ (error).message, { kind: "bad" });
  }
}

queueForm.addEventListener("submit", (event) => {
  event.preventDefault();
  if (button.hasAttribute("aria-busy")) return;
  const form = new FormData(queueForm);
  const size = form.get("size") ?? "any";
  /** @type {{ mode: string, size: any, rated: boolean, preset?: any }} */
  const wish = { mode, size: size === "any" ? size : Number(size), rated: Boolean(form.get("rated")) };
  if (form.get("preset")) wish.preset = form.get("preset");
  busy(true);
  asPlayer(() => socket.send({ type: "queue", wishes: [wish], bot: form.has("bot") && !wish.rated }));
});

// A preset for a certain number of players also selects that number.
queueForm.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.name !== "preset" || !target.dataset.size) return;
  const sizes = /** @type {RadioNodeList | null} */ (queueForm.elements.namedItem("size"));
  if (sizes) sizes.value = target.dataset.size;
});

// House bots accept challenges right away.
/** @type {HTMLFormElement | null} */
const practice = document.querySelector("#practice");
practice?.addEventListener("submit", (event) => {
  event.preventDefault();
  const to = new FormData(practice).get("to");
  asPlayer(() => socket.send({ type: "challenge", to, mode }));
});

/** @type {HTMLFormElement} */
const inviteForm = find("#invite");
startOptions(inviteForm);
inviteForm.addEventListener("submit", (event) => {
  event.preventDefault();
  const size = new FormData(inviteForm).get("size");
  /** @type {Message} */
  const message = { type: "invite", mode, options: optionsOf(inviteForm) };
  if (size) message.size = Number(size);
  asPlayer(() => {
    // `on`, not `follow`: older open invitations arrive when the socket opens, and only the new one may open
    // its page.
    socket.on("invitation", ({ url, status }) => status === "open" && goTo(url));
    socket.send(message);
  });
});

startChallenge(socket, mode, asPlayer);

socket.on("queued", () => busy(false));
socket.on("matched", callToMatch);
socket.on("error", (message) => {
  busy(false);
  if (!["queue", "invite", "bot", "challenge"].includes(message.for ?? "")) return;
  const action = message.url ? { label: t("Return to match"), href: message.url } : null;
  toast(errorText(message), { kind: "bad", action, seconds: action ? 0 : 6 });
});

startCounts();
startMinis(findAll("[data-mini]"));
