// createLobbySocket() -> the lobby's socket (/ws/lobby/).
//
//     socket.on("matched", (message) => ...)   every message of docs/lobby.md, by its type
//     socket.on("state", (state) => ...)        "connecting", "open", "away", "closed"
//     socket.send({ type: "queue", ... })       at once, or as soon as it is open
//
// The server repeats all that still holds after a reconnect, so nothing is kept here but messages
// that have not been sent yet.

import { emitter } from "../emitter.js";
import { createSocket } from "../net/socket.js";

/** @import { Emitter } from "games/emitter.js" */
/** @import { LobbyEvents } from "games/lobby/types.d.ts" */
/** @import { Message } from "games/net/socket.js" */

const PING_EVERY = 25_000;
const PAUSE = { first: 500, longest: 15_000 };
const NO_ACCESS = 4003;

/** @typedef {ReturnType<typeof createLobbySocket>} LobbySocket */

export function createLobbySocket(Socket = WebSocket) {
  /** @type {Emitter<LobbyEvents>} */
  const events = emitter();
  /** @type {Message[]} */
  const unsent = [];
  const socket = createSocket({
    path: "/ws/lobby/",
    Socket,
    ready: "hello",
    ping: () => ({ type: "ping" }),
    pingEvery: () => PING_EVERY,
    pause: PAUSE,
    isFinal: (code) => code === NO_ACCESS,
  });

  socket.on("message", (message) => {
    if (message.type === "hello") for (const waiting of unsent.splice(0)) socket.send(waiting);
    events.emit(/** @type {keyof LobbyEvents} */ (message.type), /** @type {any} */ (message));
  });
  socket.on("state", ({ state }) => {
    if (state === "closed") unsent.length = 0;
    events.emit("state", state);
  });

  return {
    on: events.on,
    open() {
      socket.open();
    },
    get state() {
      return socket.state;
    },
    /** @param {Message} message */
    send(message) {
      if (socket.send(message)) return;
      unsent.push(message);
      socket.open();
    },
  };
}
