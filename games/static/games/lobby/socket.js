// createLobbySocket(path) -> the lobby's socket.
//
//     socket.on("matched", (message) => ...)   every message of docs/lobby.md, by its type
//     socket.follow("queued", (message) => ...) the same, after replaying earlier messages that still hold
//     socket.on("state", (state) => ...)        "connecting", "open", "away", "closed"
//     socket.send({ type: "queue", ... })       right away, or as soon as it is open
//
// After a reconnect the server repeats every message that still holds, so this module keeps only unsent
// messages and the messages received since the last greeting.

import { emitter } from "../emitter.js";
import { createSocket } from "../net/socket.js";

/** @import { Emitter } from "games/emitter.js" */
/** @import { LobbyEvents } from "games/lobby/types.d.ts" */
/** @import { Message } from "games/net/socket.js" */

const PING_EVERY = 45_000;
const PAUSE = { first: 500, longest: 15_000 };
const NO_ACCESS = 4003;

const QUEUE = ["queued", "requeued", "bot_offer"];

/**
 * The message types to replay to a part of the page that starts later, and the earlier messages that each of
 * them replaces. A page's scripts load in any order, and the first one opens the socket.
 * @type {Record<string, string[]>}
 */
const HOLDS = {
  hello: [],
  presence: ["presence"],
  return: [],
  queued: QUEUE,
  requeued: QUEUE,
  bot_offer: ["bot_offer"],
  challenge: [],
  invitation: [],
  again: [],
};

/** @typedef {ReturnType<typeof createLobbySocket>} LobbySocket */

/** @param {() => string} path */
export function createLobbySocket(path, Socket = WebSocket) {
  /** @type {Emitter<LobbyEvents>} */
  const events = emitter();
  /** @type {Message[]} */
  const unsent = [];
  /** @type {Message[]} */
  let held = []; // messages that still hold, since the last greeting
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
      held = [];
      for (const waiting of unsent.splice(0)) socket.send(waiting);
    }
    const replaced = message.type === "unqueued" ? QUEUE : (HOLDS[message.type] ?? []);
    if (replaced.length) held = held.filter(({ type }) => !replaced.includes(type));
    if (message.type in HOLDS) held.push(message);
    events.emit(/** @type {keyof LobbyEvents} */ (message.type), /** @type {any} */ (message));
  });
  socket.on("state", ({ state }) => {
    if (state === "closed") unsent.length = 0;
    events.emit("state", state);
  });

  return {
    on: events.on,
    /**
     * `on`, for listeners that may be added after the message. Replays earlier messages once the caller's own
     * code has run.
     * @template {keyof LobbyEvents} T
     * @param {T} type
     * @param {(message: LobbyEvents[T]) => void} listener
     */
    follow(type, listener) {
      for (const message of held.filter((message) => message.type === type)) {
        queueMicrotask(() => held.includes(message) && listener(/** @type {any} */ (message)));
      }
      return events.on(type, listener);
    },
    open() {
      socket.open();
    },
    /** Reconnect after the visitor has signed in. */
    reconnect() {
      if (socket.state !== "idle") socket.reconnect();
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
