// A button that follows a player, or stops following them.

import { h } from "site/dom.js";
import { t } from "site/i18n.js";

/** @import { LobbySocket } from "games/lobby/socket.js" */

/**
 * @param {LobbySocket} socket
 * @param {string} name
 * @param {boolean} following whether the visitor follows the player now
 * @param {HTMLElement} note where the result is told
 */
export function followButton(socket, name, following, note) {
  const button = h("button.button.small.follow", { type: "button" });
  let on = following;
  function show() {
    button.textContent = on ? t("Following") : t("Follow");
    button.setAttribute("aria-pressed", String(on));
    button.setAttribute("aria-label", on ? t("Unfollow {name}", { name }) : t("Follow {name}", { name }));
  }
  button.addEventListener("click", () => socket.send({ type: on ? "unfollow" : "follow", name }));
  socket.on("following", (message) => {
    if (message.name !== name) return;
    on = message.on;
    show();
    note.textContent = on ? t("You follow {name}.", { name }) : t("You no longer follow {name}.", { name });
  });
  show();
  return button;
}
