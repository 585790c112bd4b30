// The form that challenges a player by name, and the state of that challenge.

import { find } from "site/dom.js";
import { errorText, t } from "site/i18n.js";

/** @import { LobbySocket } from "games/lobby/socket.js" */

const isRegistered = () => document.documentElement.dataset.kind === "registered";

/** @param {LobbySocket} socket @param {string} mode @param {(run: () => void) => void} asPlayer */
export function startChallenge(socket, mode, asPlayer) {
  /** @type {HTMLFormElement} */
  const form = find("#challenge");
  const state = find("#challenge-state");
  const cancel = find("#challenge-cancel");
  /** @type {string | null} */
  let open = null;

  /** @type {Record<string, (name: string) => string>} */
  const TEXTS = {
    open: (name) => t("You challenged {name}. Waiting for an answer…", { name }),
    kept: (name) => t("{name} is away. Your challenge is open for a day.", { name }),
    declined: (name) => t("{name} declined your challenge.", { name }),
    cancelled: () => t("You withdrew the challenge."),
    expired: (name) => t("{name} didn’t answer.", { name }),
    accepted: (name) => t("{name} accepted. The match is starting.", { name }),
  };

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const fields = new FormData(form);
    const message = {
      type: "challenge",
      to: String(fields.get("to")).trim(),
      mode,
      rated: fields.has("rated"),
      keep: isRegistered(),
    };
    asPlayer(() => socket.send(message));
  });
  cancel.addEventListener("click", () => open && socket.send({ type: "challenge_cancel", id: open }));
  socket.follow("challenge", ({ id, from, to, status, kept }) => {
    if (from !== document.documentElement.dataset.user) return;
    open = status === "open" ? id : null;
    cancel.hidden = open === null;
    state.textContent = (kept && open ? TEXTS.kept : TEXTS[status])?.(to) ?? "";
  });
  socket.on("error", (message) => {
    if (message.for === "challenge" || message.for === "challenge_cancel") state.textContent = errorText(message);
  });
}
