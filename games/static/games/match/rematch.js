// "Again?": the lobby's socket asks everybody and starts the next match (docs/lobby.md).

import { emitter } from "../emitter.js";

/** createRematch({ match, seat }) -> { on("state", ...), answer(yes), solo(options), close() }.
    A state is the lobby's `again` message. Goes to the new match by itself. */
export function createRematch({ match, go = (url) => location.assign(url) }) {
  const events = emitter();
  let socket = null;
  let wait = 500;
  let closed = false;
  const unsent = [];

  function send(message) {
    if (socket?.readyState === 1) socket.send(JSON.stringify(message));
    else unsent.push(message);
  }

  const handlers = {
    hello() {
      wait = 500;
      for (const message of unsent.splice(0)) send(message);
    },
    again(message) {
      if (message.match !== match) return;
      if (message.new) go(message.url ?? `/match/${message.new}/`);
      else events.emit("state", message);
    },
    matched(message) {
      if (message.source === "rematch" || message.source === "solo") go(message.url);
    },
    error(message) {
      if (message.for === "again" || message.for === "solo") events.emit("failed", message);
    },
  };

  function open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    socket = new WebSocket(`${scheme}://${location.host}/ws/lobby/`);
    socket.onmessage = ({ data }) => {
      const message = JSON.parse(data);
      handlers[message.type]?.(message);
    };
    socket.onclose = ({ code }) => {
      if (closed || code === 4003) return;
      setTimeout(open, wait);
      wait = Math.min(wait * 2, 10_000);
    };
  }
  open();

  return {
    on: events.on,
    answer: (yes) => send({ type: "again", match, yes }),
    solo: (mode, options) => send({ type: "solo", mode, options }),
    close() {
      closed = true;
      socket?.close();
    },
  };
}
