// The panel shown while the player waits in a queue: the time, how many others wait, the offer of a bot.

import { announce } from "site/announce.js";
import { find } from "site/dom.js";
import { n, t } from "site/i18n.js";

import { clockText } from "../match/time.js";
import { waitingFor } from "./counts.js";

/** @import { LobbySocket } from "games/lobby/socket.js" */
/** @import { Numbers } from "games/lobby/types.d.ts" */

/** @param {string} id */
const $ = (id) => find(`#${id}`);

/** @param {LobbySocket} socket @param {string} mode @param {{ onChange: (waiting: boolean) => void }} options */
export function createWaiting(socket, mode, { onChange }) {
  const panel = $("waiting");
  let queuedAt = 0;
  let ahead = 0; // the server's clock minus ours
  let ticking = 0;

  function tick() {
    $("waiting-time").textContent = clockText(Date.now() + ahead - queuedAt);
  }

  /** @param {Numbers} numbers */
  function others({ queues }) {
    const count = Math.max(0, waitingFor(mode, queues) - 1);
    $("waiting-others").textContent = count
      ? n("{n} other player is waiting for this game.", "{n} other players are waiting for this game.", count)
      : t("Nobody else is waiting yet.");
  }

  /** @param {boolean} on */
  function show(on) {
    clearInterval(ticking);
    if (on) ticking = setInterval(tick, 1000);
    const changed = panel.hidden === on;
    panel.hidden = !on;
    onChange(on);
    if (on && changed) panel.focus({ preventScroll: true });
  }

  socket.follow("hello", (message) => {
    ahead = message.now - Date.now();
    others(message);
  });
  socket.follow("presence", others);
  /** @param {{ queued_at: number, bot?: boolean }} ticket */
  function waits({ queued_at, bot = false }) {
    queuedAt = queued_at;
    $("bot-offer").hidden = true;
    $("take-bot").hidden = bot || $("take-bot").dataset.bots === "no";
    show(true);
    tick();
    announce(t("You’re in the queue."));
  }

  socket.follow("queued", waits);
  socket.follow("requeued", waits);
  socket.on("unqueued", ({ reason }) => {
    show(false);
    announce(
      reason === "expired"
        ? t("You were offline for too long and lost your place in the queue.")
        : t("You left the queue."),
    );
  });
  socket.follow("bot_offer", () => {
    $("bot-offer").hidden = false;
    $("take-bot").hidden = false;
    announce($("bot-offer").textContent);
  });
  socket.on("state", (state) => panel.classList.toggle("offline", state === "away"));
  $("leave").addEventListener("click", () => socket.send({ type: "unqueue" }));
  $("take-bot").addEventListener("click", () => socket.send({ type: "bot" }));
}
