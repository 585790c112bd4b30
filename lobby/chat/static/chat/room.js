// createRoom(socket, name) -> a room's lines, kept up to date over the lobby socket.
//
// A line counts once the server has it: until then it is `sending`, and is sent again after a reconnect with
// the same key, so that it is never said twice.

import { emitter } from "games/emitter.js";

/** @import { ChatLine, ChatRoom } from "chat/types.d.ts" */
/** @import { Emitter } from "games/emitter.js" */
/** @import { LobbySocket } from "games/lobby/socket.js" */
/** @import { LobbyError } from "games/lobby/types.d.ts" */

const MOST = 200; // lines kept

/** @typedef {{ phrase: string } | { text: string }} Said */

/** @param {LobbySocket} socket @param {string} name */
export function createRoom(socket, name, newKey = randomKey) {
  /** @type {Emitter<{ change: undefined, line: ChatLine, refused: LobbyError }>} */
  const events = emitter();
  /** @type {ChatLine[]} */
  let lines = [];
  /** @type {Set<string>} */
  let muted = new Set();
  /** @type {(Said & { key: string }) | null} */
  let sending = null;
  let may = { phrases: false, text: false, why: "" };
  let closed = false;

  /** @param {ChatLine} line @returns whether it is new */
  function put(line) {
    if (line.room !== name || lines.some(({ id }) => id === line.id)) return false;
    lines = [...lines, line].sort((a, b) => a.id - b.id).slice(-MOST);
    return true;
  }

  /** @param {ChatRoom} about */
  function opened(about) {
    if (about.room !== name) return;
    may = about;
    muted = new Set(about.muted);
    lines = lines.filter(({ id }) => about.lines.some((line) => line.id === id));
    about.lines.forEach(put);
    if (sending) socket.send({ type: "chat", room: name, ...sending });
    events.emit("change");
  }

  const endings = [
    socket.follow("hello", () => socket.send({ type: "chat_open", room: name })),
    socket.on("chat_room", opened),
    socket.on("chat_line", (line) => {
      if (line.room === name && line.key === sending?.key) sending = null;
      if (!put(line)) return;
      events.emit("line", line);
      events.emit("change");
    }),
    socket.on("chat_muted", ({ names }) => {
      muted = new Set(names);
      events.emit("change");
    }),
    socket.on("error", (error) => {
      if (error.for !== "chat" || !sending) return;
      sending = null;
      events.emit("refused", error);
      events.emit("change");
    }),
  ];
  socket.open();

  return {
    on: events.on,
    get may() {
      return may;
    },
    get isSending() {
      return sending !== null;
    },
    /** The lines of players who aren't muted. */
    get lines() {
      return lines.filter(({ by }) => !muted.has(by));
    },
    get muted() {
      return [...muted];
    },
    /** Say one thing at a time. @param {Said} said */
    say(said) {
      if (sending || closed) return;
      sending = { ...said, key: newKey() };
      socket.send({ type: "chat", room: name, ...sending });
      events.emit("change");
    },
    /** @param {string} player @param {boolean} on */
    mute: (player, on) => socket.send({ type: "chat_mute", name: player, on }),
    /** @param {number} line */
    report: (line) => socket.send({ type: "chat_report", line }),
    close() {
      closed = true;
      endings.forEach((end) => end());
      socket.send({ type: "chat_close", room: name });
    },
  };
}

/** @returns {string} unlike any other of this player's keys in the room */
function randomKey() {
  const [number] = crypto.getRandomValues(new Uint32Array(1));
  return Date.now().toString(36) + number.toString(36);
}
