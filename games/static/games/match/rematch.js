// Rematches: the lobby asks everybody and starts the next match (docs/lobby.md).

import { emitter } from "../emitter.js";
import { goTo, lobby } from "../lobby/shared.js";

/** @import { Emitter } from "games/emitter.js" */
/** @import { Again, LobbyError } from "games/lobby/types.d.ts" */

/**
 * createRematch({ match }) -> { on("state" | "failed", ...), answer(yes) }. A
 * state is the lobby's `again` message. Opens the new match automatically.
 * @param {{ match: string, go?: (url: string) => void }} options
 */
export function createRematch({ match, go = goTo }) {
  /** @type {Emitter<{ state: Again, failed: LobbyError }>} */
  const events = emitter();
  const socket = lobby();
  socket.follow("again", (message) => {
    if (message.match !== match) return;
    if (message.url) go(message.url);
    else events.emit("state", message);
  });
  socket.on("matched", ({ source, url }) => {
    if (source === "rematch") go(url);
  });
  socket.on("error", (message) => {
    if (message.for === "again") events.emit("failed", message);
  });
  socket.open();

  return {
    on: events.on,
    /** @param {boolean} yes */
    answer: (yes) => socket.send({ type: "again", match, yes }),
  };
}
