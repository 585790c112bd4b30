// createSocket() -> the lobby's socket (/ws/lobby/): connects again by itself, with a growing pause.
//
//     socket.on("matched", (message) => ...)   every message of docs/lobby.md, by its type
//     socket.on("state", (state) => ...)        "connecting", "open", "waiting", "closed"
//     socket.send({ type: "queue", ... })       at once, or as soon as it is open
//
// The server repeats all that still holds after a reconnect, so nothing is kept here but messages
// that have not been sent yet.

import { emitter } from "../emitter.js";

const PING_MS = 25_000;
const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 15_000;
const NO_ACCESS = 4003;

export function createSocket(Socket = WebSocket) {
  const events = emitter();
  const unsent = [];
  let socket = null;
  let pause = FIRST_PAUSE_MS;
  let timer = 0;
  let pinging = 0;
  let state = "closed";

  function become(next) {
    state = next;
    events.emit("state", next);
  }

  function address() {
    return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws/lobby/`;
  }

  function open() {
    clearTimeout(timer);
    if (socket) return;
    become("connecting");
    const fresh = new Socket(address());
    socket = fresh;
    fresh.addEventListener("message", ({ data }) => fresh === socket && receive(JSON.parse(data)));
    fresh.addEventListener("close", ({ code }) => fresh === socket && lost(code));
  }

  function receive(message) {
    if (message.type === "hello") {
      pause = FIRST_PAUSE_MS;
      become("open");
      clearInterval(pinging);
      pinging = setInterval(() => socket?.send('{"type":"ping"}'), PING_MS);
      for (const waiting of unsent.splice(0)) socket.send(JSON.stringify(waiting));
    }
    if (message.type === "reconnect") {
      // The server is about to stop: another one takes over.
      const old = socket;
      setTimeout(() => old === socket && move(), message.after_ms);
    }
    events.emit(message.type, message);
  }

  function move() {
    clearInterval(pinging);
    socket.close();
    socket = null;
    open();
  }

  function lost(code) {
    socket = null;
    clearInterval(pinging);
    if (code === NO_ACCESS) {
      unsent.length = 0;
      become("closed");
      return;
    }
    become("waiting");
    // A little chance keeps all browsers from coming back in the same moment.
    timer = setTimeout(open, pause * (0.7 + 0.6 * Math.random()));
    pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
  }

  function again() {
    if (state !== "waiting") return;
    pause = FIRST_PAUSE_MS;
    open();
  }

  addEventListener("online", again);
  document.addEventListener("visibilitychange", () => document.hidden || again());

  return {
    on: events.on,
    open,
    get state() {
      return state;
    },
    send(message) {
      if (state === "open") socket.send(JSON.stringify(message));
      else {
        unsent.push(message);
        open();
      }
    },
  };
}
