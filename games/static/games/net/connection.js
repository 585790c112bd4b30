// The match socket: keeps itself open, resumes where it was, and sends what was not acknowledged again
// with the same id. No game in here.
//
//     const link = createConnection({ url: "/ws/match/abc/" });
//     link.on("state", ...)    "connecting", "open", "away", "taken_over", "closed"
//     link.on("welcome" | "view" | "event" | "refused" | "acked" | "spectators" | "quality", ...)
//     link.act({ type: "reveal", cell: 3 }) -> command id
//     link.start(), link.leave(), link.resume() (after taken_over), link.now() (the server's clock)

import { emitter } from "../emitter.js";
import { createClock } from "./clock.js";
import { createOutbox } from "./outbox.js";

const VERSION = 1;
const PING_EVERY = 10_000;
const PONG_WITHIN = 6_000;
const FIRST_WAIT = 250;
const LONGEST_WAIT = 8_000;
const OFFLINE_WAIT = 20_000;

const FINAL = { 4001: "taken_over", 4003: "no_access", 4004: "no_match", 4010: "not_understood" };

export function backoff(attempt, random = Math.random()) {
  return Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** attempt) * (0.5 + random / 2);
}

export function createConnection({ url, Socket = WebSocket }) {
  const events = emitter();
  const clock = createClock();
  const outbox = createOutbox();
  let socket = null;
  let state = "idle";
  let last = null;
  let since = null; // the server's time when this page took the seat
  let attempt = 0;
  let retryTimer = 0;
  let pingTimer = 0;
  let pongTimer = 0;
  let over = false;

  function enter(next, detail = {}) {
    if (state === next) return;
    state = next;
    events.emit("state", { state, ...detail });
  }

  const send = (message) => socket?.readyState === 1 && socket.send(JSON.stringify(message));

  function drop() {
    clearTimeout(pingTimer);
    clearTimeout(pongTimer);
    const old = socket;
    socket = null;
    if (old) {
      old.onopen = old.onmessage = old.onclose = null;
      old.close();
    }
  }

  function retry(wait = backoff(attempt++)) {
    drop();
    enter("away");
    clearTimeout(retryTimer);
    // Without a network `online` wakes us; some browsers forget to say so.
    retryTimer = setTimeout(open, navigator.onLine === false ? OFFLINE_WAIT : wait);
  }

  function ping() {
    clearTimeout(pingTimer);
    clearTimeout(pongTimer);
    send({ type: "ping", at: clock.local() });
    pongTimer = setTimeout(() => retry(0), PONG_WITHIN);
  }

  const handlers = {
    welcome(message) {
      clock.guess(message.now);
      since ??= message.now;
      attempt = 0;
      events.emit("welcome", message);
      enter("open");
      for (const act of outbox.pending()) send(act);
      ping();
    },
    view({ n, view }) {
      last = n;
      events.emit("view", view);
      note(view.phase === "over");
    },
    event({ n, event, t }) {
      if (last === null || n <= last) return;
      if (n !== last + 1) return retry(0); // a gap: ask again from the last one
      last = n;
      if (event.type === "refused" && event.id) event.action = outbox.done(event.id);
      events.emit("event", { event, t });
      note(event.type === "over");
    },
    ack({ id }) {
      events.emit("acked", { id, action: outbox.done(id) });
    },
    refused(message) {
      events.emit("refused", { ...message, action: outbox.done(message.id) });
    },
    pong({ at, now }) {
      clearTimeout(pongTimer);
      const rtt = clock.sample(at, now);
      events.emit("quality", { rtt });
      pingTimer = setTimeout(ping, document.hidden ? 25_000 : PING_EVERY);
    },
    spectators: ({ n }) => events.emit("spectators", n),
    reconnect({ after_ms }) {
      // The server is about to stop, but plays on until then.
      const old = socket;
      setTimeout(() => socket === old && open(), after_ms);
    },
    error: (message) => events.emit("error", message),
    taken_over() {},
  };

  function note(isOver) {
    if (!isOver || over) return;
    over = true;
    outbox.clear();
  }

  function closed({ code }) {
    socket = null;
    clearTimeout(pingTimer);
    clearTimeout(pongTimer);
    if (code in FINAL) return enter(code === 4001 ? "taken_over" : "closed", { reason: FINAL[code] });
    if (over) return enter("closed", { reason: "over" });
    retry();
  }

  function open() {
    clearTimeout(retryTimer);
    drop();
    if (state === "idle" || state === "taken_over") enter("connecting");
    const fresh = new Socket(url);
    socket = fresh;
    fresh.onopen = () => {
      send({ type: "hello", version: VERSION, last, ...(since === null ? {} : { since }) });
      pongTimer = setTimeout(() => retry(0), PONG_WITHIN);
    };
    fresh.onmessage = ({ data }) => {
      for (const message of [JSON.parse(data)].flat()) {
        if (socket !== fresh) return;
        handlers[message.type]?.(message);
      }
    };
    fresh.onclose = closed;
  }

  function wake() {
    if (state === "away") {
      attempt = 0;
      open();
    } else if (state === "open") {
      ping(); // asleep or on another network, the socket may be dead without telling
    }
  }

  return {
    on: events.on,
    now: clock.now,
    get state() {
      return state;
    },
    get waiting() {
      return outbox.size;
    },
    start() {
      addEventListener("online", wake);
      addEventListener("offline", () => state === "open" && retry());
      addEventListener("pageshow", (event) => event.persisted && wake());
      document.addEventListener("visibilitychange", () => !document.hidden && wake());
      open();
    },
    /** Play here, wherever else it is played now. */
    resume() {
      since = null;
      open();
    },
    act(action) {
      const message = outbox.add(action);
      if (message && state === "open") send(message);
      return message?.id ?? null;
    },
    leave() {
      send({ type: "leave" });
      drop();
    },
  };
}
