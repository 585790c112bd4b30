// One lobby socket per page, whoever asks for it.

import { createLobbySocket } from "./socket.js";

let socket = null;

export function lobby() {
  socket ??= createLobbySocket();
  return socket;
}

let going = "";
addEventListener("pageshow", (event) => event.persisted && (going = "")); // back again

/** To this page, once: several parts of a page hear of the same match, and a second navigation would
    throw away what the first one has loaded. */
export function goTo(url) {
  if (going !== url) location.assign(url);
  going = url;
}
