// Live numbers: every element with data-count shows one ("online", "playing", "matches", "queued", or the
// name of a mode for the players waiting there); data-one and data-many hold the words beside the number.

import { find, findAll } from "site/dom.js";

import { lobby } from "./shared.js";

/** @import { LiveMatch, Numbers } from "games/lobby/types.d.ts" */

/** @param {string} mode @param {Numbers["queues"]} queues */
export function waitingFor(mode, queues) {
  let waiting = 0;
  for (const [name, count] of Object.entries(queues ?? {})) {
    if (name.startsWith(`${mode}:`)) waiting += count;
  }
  return waiting;
}

/** @param {Numbers} numbers */
function show(numbers) {
  for (const element of findAll("[data-count]")) {
    const { count: name = "", one, many } = element.dataset;
    const count = Reflect.get(numbers, name) ?? waitingFor(name, numbers.queues);
    find("b", element).textContent = count;
    if (one && many && element.lastElementChild) element.lastElementChild.textContent = count === 1 ? one : many;
    element.classList.toggle("none", count === 0);
  }
}

/** @param {{ onMatches?: ((live: LiveMatch[]) => void) | null }} [options] */
export function startCounts({ onMatches = null } = {}) {
  const socket = lobby();
  socket.follow("hello", show);
  socket.follow("presence", show);
  if (onMatches) {
    socket.on("matches", ({ live }) => onMatches(live));
    // Subscribe again after each reconnect.
    socket.follow("hello", () => socket.send({ type: "watch", on: true }));
  }
  socket.open();
}
