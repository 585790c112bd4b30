// createSocket(options) -> a WebSocket of JSON messages that keeps itself open: it reconnects with
// exponential back-off, sends heartbeats, wakes up with the network and the page, and moves to another server
// when this one drains. The protocols of a match (connection.js) and of the lobby (lobby/socket.js) build on
// it.
//
//     socket.on("message", (message) => ...)  every message, one by one
//     socket.on("state", ({ state, code }) => ...)
//     socket.open(), socket.send(message) -> whether it was sent

import { emitter } from "../emitter.js";

const PONG_WITHIN = 6_000;
const OFFLINE_WAIT = 20_000;

/** @typedef {{ type: string, [field: string]: any }} Message */

/** @typedef {"idle" | "connecting" | "open" | "away" | "closed"} State `away`: lost, and reconnecting. */

/**
 * @typedef {object} Options
 * @property {() => string} path of the socket on this site, called before each connection
 * @property {string} ready the type of the server's message that completes the handshake
 * @property {() => Message} [greet] the first message, if the client speaks first
 * @property {() => Message} ping a heartbeat; the server answers with a `pong`
 * @property {() => number} pingEvery ms
 * @property {{ first: number, longest: number }} pause ms before the next attempt
 * @property {(code: number) => boolean} isFinal whether to stay closed after this close code
 * @property {typeof WebSocket} [Socket]
 */

/** @typedef {ReturnType<typeof createSocket>} Socket */

/**
 * How long to wait before the next attempt. The random share keeps browsers from reconnecting all at once.
 * @param {number} attempt
 * @param {{ first: number, longest: number }} pause
 */
export function backoff(attempt, { first, longest }, random = Math.random()) {
  return Math.min(longest, first * 2 ** attempt) * (0.5 + random / 2);
}

/** @param {string} path */
function address(path) {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
}

/** @param {Options} options */
export function createSocket({ path, ready, greet, ping, pingEvery, pause, isFinal, Socket = WebSocket }) {
  /** @type {import("../emitter.js").Emitter<{ message: Message, state: { state: State, code?: number } }>} */
  const events = emitter();
  /** @type {WebSocket | null} */
  let socket = null;
  /** @type {State} */
  let state = "idle";
  let greeted = false; // the handshake of this connection is complete
  let attempt = 0;
  let retryTimer = 0;
  let pingTimer = 0;
  let pongTimer = 0;
  /** @type {AbortController | null} Removes the window's listeners. */
  let listening = null;

  /** @param {State} next @param {number} [code] */
  function enter(next, code) {
    if (state === next) return;
    state = next;
    events.emit("state", { state, code });
  }

  /** @param {Message} message */
  function transmit(message) {
    if (socket?.readyState !== Socket.OPEN) return false;
    socket.send(JSON.stringify(message));
    return true;
  }

  function stopTimers() {
    clearTimeout(retryTimer);
    clearTimeout(pingTimer);
    clearTimeout(pongTimer);
  }

  function drop() {
    stopTimers();
    greeted = false;
    const old = socket;
    socket = null;
    if (!old) return;
    old.onopen = old.onmessage = old.onclose = null;
    old.close();
  }

  /** Drop this connection and retry after `wait` ms. */
  function retry(wait = backoff(attempt++, pause)) {
    drop();
    enter("away");
    // Without a network the `online` event wakes us, but some browsers don't fire it.
    retryTimer = setTimeout(connect, navigator.onLine === false ? OFFLINE_WAIT : wait);
  }

  function beat() {
    clearTimeout(pingTimer);
    clearTimeout(pongTimer);
    transmit(ping());
    pongTimer = setTimeout(() => retry(0), PONG_WITHIN);
  }

  /** @param {Message} message */
  function receive(message) {
    if (message.type === "pong") {
      clearTimeout(pongTimer);
      pingTimer = setTimeout(beat, pingEvery());
    } else if (message.type === "reconnect") {
      // The server is draining, but serves this connection until it stops.
      const old = socket;
      setTimeout(() => socket === old && connect(), message.after_ms);
    } else if (message.type === ready) {
      attempt = 0;
      greeted = true;
    }
    events.emit("message", message);
    if (message.type !== ready) return;
    enter("open");
    beat();
  }

  /** Open a new connection, replacing the current one if any. */
  function connect() {
    drop();
    if (state === "idle" || state === "closed") enter("connecting");
    listen();
    const fresh = new Socket(address(path()));
    socket = fresh;
    fresh.onopen = () => {
      if (greet) transmit(greet());
      pongTimer = setTimeout(() => retry(), PONG_WITHIN);
    };
    fresh.onmessage = ({ data }) => {
      for (const message of [JSON.parse(data)].flat()) {
        if (socket !== fresh) return;
        receive(message);
      }
    };
    fresh.onclose = ({ code }) => {
      stopTimers();
      socket = null;
      greeted = false;
      if (isFinal(code)) enter("closed", code);
      else retry();
    };
  }

  function wake() {
    if (state === "away") {
      attempt = 0;
      connect();
    } else if (state === "open" && greeted) {
      beat(); // after sleep or a change of network, the socket may be dead without a close event
    }
  }

  function listen() {
    if (listening) return;
    listening = new AbortController();
    const { signal } = listening;
    addEventListener("online", wake, { signal });
    addEventListener("offline", () => state === "open" && retry(), { signal });
    addEventListener("pageshow", (event) => event.persisted && wake(), { signal });
    document.addEventListener("visibilitychange", () => !document.hidden && wake(), { signal });
  }

  return {
    on: events.on,
    get state() {
      return state;
    },
    /** Connect now, unless already connected or connecting. */
    open() {
      if (!socket) connect();
    },
    /** Reconnect immediately, e.g. after a gap in the messages. */
    reconnect: () => retry(0),
    /** @param {Message} message @returns {boolean} false before the handshake is complete */
    send: (message) => greeted && transmit(message),
    /** Stay closed until `open`. */
    close() {
      drop();
      listening?.abort();
      listening = null;
      enter("closed");
    },
  };
}
