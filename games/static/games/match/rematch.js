// "Again?": the lobby asks everybody and starts the next match (docs/lobby.md).

import { emitter } from "../emitter.js";
import { goTo, lobby } from "../lobby/shared.js";

/** createRematch({ match }) -> { on("state" | "failed", ...), answer(yes), solo(mode, options) }. A
    state is the lobby's `again` message. Goes to the new match by itself. */
export function createRematch({ match, go = goTo }) {
  const events = emitter();
  const socket = lobby();
  socket.on("again", (message) => {
    if (message.match !== match) return;
    if (message.new) go(message.url ?? `/match/${message.new}/`);
    else events.emit("state", message);
  });
  socket.on("matched", ({ source, url }) => {
    if (source === "rematch" || source === "solo") go(url);
  });
  socket.on("error", (message) => {
    if (message.for === "again" || message.for === "solo") events.emit("failed", message);
  });
  socket.open();

  return {
    on: events.on,
    answer: (yes) => socket.send({ type: "again", match, yes }),
    solo: (mode, options) => socket.send({ type: "solo", mode, options }),
  };
}
