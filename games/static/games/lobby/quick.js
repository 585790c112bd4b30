// Starts a match with one click: as a guest if necessary, against a house bot if nobody is waiting.

import { announce } from "site/announce.js";
import { errorText, t } from "site/i18n.js";
import { toast } from "site/toast.js";

import { becomePlayer } from "./guest.js";
import { goTo, lobby } from "./shared.js";

/** @import { Message } from "games/net/socket.js" */

/**
 * Start a match with this message (`queue` or `solo`); goes to its page when it begins.
 * @param {Message} message
 * @param {HTMLElement | null} button
 */
export async function start(message, button) {
  const socket = lobby();
  const rest = () => button?.removeAttribute("aria-busy");
  button?.setAttribute("aria-busy", "true");
  announce(t("Looking for a match…"));
  const offMatched = socket.on("matched", ({ url }) => goTo(url));
  const offError = socket.on("error", (error) => {
    if (error.for !== message.type) return;
    rest();
    offMatched();
    offError();
    if (error.url) goTo(error.url);
    else toast(errorText(error), { kind: "bad" });
  });
  try {
    await becomePlayer();
    socket.send(message);
  } catch (error) {
    rest();
    offMatched();
    offError();
    toast(/** @type {Error} */ (error).message, { kind: "bad" });
  }
}

/** @param {string} mode */
export const againstABot = (mode, preset = "") => ({ type: "queue", wishes: [{ mode, preset, size: 2 }], bot: true });
