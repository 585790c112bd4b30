// One lobby socket per page, whoever asks for it.

import { createSocket } from "./socket.js";

let socket = null;

export function lobby() {
  socket ??= createSocket();
  return socket;
}
