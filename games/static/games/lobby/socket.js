// createLobbySocket(path) -> the lobby's socket.
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

const PING_EVERY = 45_000;
const PAUSE = { first: 500, longest: 15_000 };
const NO_ACCESS = 4003;

/** What a part of the page that comes later has to know: the greeting, and what concerns this player since. */
const HOLDS = new Set(["hello", "return", "queued", "unqueued", "challenge", "again"]);

/** @typedef {ReturnType<typeof createLobbySocket>} LobbySocket */

/** @param {() => string} path */
export function createLobbySocket(path, Socket = WebSocket) {
  /** @type {Emitter<LobbyEvents>} */
  const events = emitter();
  /** @type {Message[]} */
  const unsent = [];
  /** @type {Message[]} */
  let told = []; // since the last greeting
  const socket = createSocket({
    path,
    Socket,
    ready: "hello",
    ping: () => ({ type: "ping" }),
    pingEvery: () => PING_EVERY,
    pause: PAUSE,
    isFinal: (code) => code === NO_ACCESS,
  });

  socket.on("message", (message) => {
    if (message.type === "hello") {
      told = [];
      for (const waiting of unsent.splice(0)) socket.send(waiting);
    }
    if (HOLDS.has(message.type)) told.push(message);
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
    /** After the visitor has become somebody else: connect anew. */
    reconnect() {
      if (socket.state !== "idle") socket.reconnect();
    },
    get state() {
      return socket.state;
    },
    /** What came before somebody listened (HOLDS), in order. */
    told: () => told,
    /** @param {Message} message */
    send(message) {
      if (socket.send(message)) return;
      unsent.push(message);
      socket.open();
    },
  };
}
