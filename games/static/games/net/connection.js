// The socket of a match: resumes at the last event, and resends unacknowledged commands with the same id.
// Knows nothing about the rules of the game.
//
//     const link = createConnection("/ws/match/abc/");
//     link.on("state", ...)    "connecting", "open", "away", "taken_over", "closed"
//     link.on("welcome" | "view" | "event" | "refused" | "acked" | "spectators" | "archived" | "quality", ...)
//     link.act({ type: "reveal", cell: 3 }) -> command id
//     link.start(), link.leave(), link.resume() (after taken_over), link.now() (the server's clock)

import { emitter } from "../emitter.js";
import { createClock } from "./clock.js";
import { createOutbox } from "./outbox.js";
import { createSocket } from "./socket.js";

/** @import { Message } from "games/net/socket.js" */
/** @import { Link, LinkEvents, LinkState } from "games/net/types.d.ts" */

const VERSION = 1;
const PING_EVERY = 10_000;
const PING_EVERY_HIDDEN = 25_000;
const PAUSE = { first: 250, longest: 8_000 };

/** @type {Record<number, string>} Close codes after which the socket stays closed. */
const FINAL = { 4001: "taken_over", 4003: "no_access", 4004: "no_match", 4010: "not_understood" };

/** @param {string} path @returns {Link} */
export function createConnection(path, Socket = WebSocket) {
  /** @type {import("../emitter.js").Emitter<LinkEvents>} */
  const events = emitter();
  const clock = createClock();
  const outbox = createOutbox();
  /** @type {LinkState} */
  let state = "idle";
  /** @type {number | null} */
  let last = null; // the number of the last event
  /** @type {number | null} */
  let since = null; // the server's time when this page took the seat
  let over = false;

  const socket = createSocket({
    path: () => path,
    Socket,
    ready: "welcome",
    greet: () => ({ type: "hello", version: VERSION, last, ...(since === null ? {} : { since }) }),
    ping: () => ({ type: "ping", at: clock.local() }),
    pingEvery: () => (document.hidden ? PING_EVERY_HIDDEN : PING_EVERY),
    pause: PAUSE,
    isFinal: (code) => code in FINAL || over,
  });

  /** @type {Record<string, (message: Message) => void>} */
  const handlers = {
    welcome(message) {
      clock.guess(message.now);
      since ??= message.now;
      events.emit("welcome", /** @type {any} */ (message));
      for (const act of outbox.pending()) socket.send(act);
    },
    view({ n, view }) {
      last = n;
      events.emit("view", view);
      note(view.phase === "over");
    },
    event({ n, event, t }) {
      if (last === null || n <= last) return;
      if (n !== last + 1) return socket.reconnect(); // a gap: resume from the last event
      last = n;
      if (event.type === "refused" && event.id) event.action = outbox.done(event.id);
      events.emit("event", { event, t });
      note(event.type === "over");
    },
    ack({ id }) {
      events.emit("acked", { id, action: outbox.done(id) });
    },
    refused(message) {
      events.emit("refused", /** @type {any} */ ({ ...message, action: outbox.done(message.id) }));
    },
    pong({ at, now }) {
      events.emit("quality", { rtt: clock.sample(at, now) });
    },
    spectators: ({ n }) => events.emit("spectators", n),
    archived: () => events.emit("archived", undefined),
    error: (message) => events.emit("error", message),
  };

  /** @param {boolean} isOver */
  function note(isOver) {
    if (!isOver || over) return;
    over = true;
    outbox.clear();
  }

  socket.on("message", (message) => handlers[message.type]?.(message));
  socket.on("state", ({ state: next, code }) => {
    const reason = next === "closed" ? (FINAL[code ?? 0] ?? "over") : undefined;
    state = reason === "taken_over" ? reason : next;
    events.emit("state", { state, reason });
  });

  return {
    on: events.on,
    now: clock.now,
    get state() {
      return state;
    },
    start: socket.open,
    resume() {
      since = null;
      socket.open();
    },
    act(action) {
      const message = outbox.add(action);
      if (message) socket.send(message);
      return message?.id ?? null;
    },
    leave() {
      socket.send({ type: "leave" });
      socket.close();
    },
  };
}
