// One lobby socket per page, whoever asks for it. Visitors without an account have one too, which only
// tells what goes on.

import { createLobbySocket } from "./socket.js";

/** @import { LobbySocket } from "games/lobby/socket.js" */

/** @type {LobbySocket | null} */
let socket = null;

export const isSignedIn = () => Boolean(document.documentElement.dataset.user);

function path() {
  const asked = new URLSearchParams();
  if (!isSignedIn()) asked.set("anonymous", "1");
  if (!document.querySelector("[data-count]")) asked.set("counts", "0");
  return `/ws/lobby/${asked.size ? "?" : ""}${asked}`;
}

export function lobby() {
  socket ??= createLobbySocket(path);
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
