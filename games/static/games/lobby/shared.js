// One lobby socket per page, whoever asks for it.

import { createLobbySocket } from "./socket.js";

/** @import { LobbySocket } from "games/lobby/socket.js" */

/** @type {LobbySocket | null} */
let socket = null;

export function lobby() {
  socket ??= createLobbySocket();
  return socket;
}

let going = "";
addEventListener("pageshow", (event) => event.persisted && (going = "")); // back again

/**
 * To this page, once: several parts of a page hear of the same match, and a second navigation would
 * throw away what the first one has loaded.
 * @param {string} url
 */
export function goTo(url) {
  if (going !== url) location.assign(url);
  going = url;
}
