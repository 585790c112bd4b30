// The line under the header of every page while the player waits in a queue: which match, how long, and a
// button to leave. The queue's own page has a panel for that.

import { askToNotify, mayAsk } from "site/call.js";
import { find, h, setText, toggle } from "site/dom.js";
import { t } from "site/i18n.js";

import { clockText } from "../match/time.js";
import { modeTitle } from "../modes.js";

/** @import { LobbySocket } from "games/lobby/socket.js" */

/** @param {LobbySocket} socket */
export function startWaitingBar(socket) {
  if (document.getElementById("waiting")) return;
  const text = h("span");
  const time = h("b.clock", { role: "timer" });
  const leave = h("button.button.small", { type: "button" }, t("Leave the queue"));
  const ask = h("button.button.small.quiet", { type: "button" }, t("Notify me"));
  const bar = h("div.row.queue-line", {}, h("span.spinner"), text, time, ask, leave);
  let queuedAt = 0;
  let ahead = 0; // the server's clock minus ours
  let ticking = 0;

  const tick = () => setText(time, clockText(Date.now() + ahead - queuedAt));
  leave.addEventListener("click", () => socket.send({ type: "unqueue" }));
  ask.addEventListener("click", async () => {
    await askToNotify();
    toggle(ask, mayAsk());
  });

  function hide() {
    clearInterval(ticking);
    bar.remove();
  }

  /** @param {{ queues: string[], queued_at: number }} ticket */
  function show({ queues, queued_at }) {
    queuedAt = queued_at;
    const modes = [...new Set(queues.map((name) => modeTitle(name.split(":")[0])))];
    setText(text, t("Waiting for {modes}", { modes: modes.join(", ") }));
    toggle(ask, mayAsk());
    tick();
    clearInterval(ticking);
    ticking = setInterval(tick, 1000);
    find("#banner").append(bar);
  }

  socket.follow("hello", ({ now }) => {
    ahead = now - Date.now();
    hide(); // if the place is kept, `queued` follows
  });
  socket.follow("queued", show);
  socket.follow("requeued", show);
  socket.on("unqueued", hide);
  socket.on("matched", ({ source }) => source !== "solo" && hide());
}
