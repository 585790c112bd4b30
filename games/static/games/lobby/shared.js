// The one lobby socket that all parts of a page share. Anonymous visitors have one too, which only receives
// live numbers and matches.

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
addEventListener("pageshow", (event) => event.persisted && (going = "")); // the visitor came back with the back button

/**
 * Go to this page, once: several parts of a page receive the same match, and a second navigation would
 * discard everything that the first one has loaded.
 * @param {string} url
 */
export function goTo(url) {
  if (going !== url) location.assign(url);
  going = url;
}
