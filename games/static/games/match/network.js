// The state of the connection: a line while reconnecting, a cover when another tab has taken over or the
// connection is closed for good, and the quality in the corner.

import { announce } from "site/announce.js";
import { h, toggle } from "site/dom.js";
import { t } from "site/i18n.js";

/** @import { Cover, Session } from "games/match/types.d.ts" */

/** @type {Record<string, string>} */
const CLOSED = {
  no_access: t("Your session has ended. Sign in and open the match again."),
  no_match: t("This match no longer exists."),
  not_understood: t("This page is out of date. Reload it."),
};

/** @param {number} rtt */
function quality(rtt) {
  if (rtt < 120) return "good";
  return rtt < 350 ? "fair" : "poor";
}

/** @param {Session} session @param {Cover} cover */
export function createNetwork(session, cover) {
  const bars = h("span.link-bars", { "aria-hidden": "true" }, h("i"), h("i"), h("i"));
  const element = h("span.link", {}, bars);
  const away = h(
    "div.away-line",
    { role: "status", hidden: true },
    h("span.spinner"),
    h("span", {}, t("Connection lost. Reconnecting…")),
  );
  let rtt = 0;

  function show() {
    const { state } = session.link;
    const kind = state === "open" ? quality(rtt) : "none";
    element.dataset.quality = kind;
    element.title = state === "open" ? t("Connection: {rtt} ms", { rtt: Math.round(rtt) }) : t("Connection: none");
    toggle(away, state === "away");
  }

  session.on("quality", (now) => {
    rtt = now.rtt;
    show();
  });
  session.on("state", ({ state, reason = "" }) => {
    show();
    document.body.dataset.link = state;
    if (state === "open") {
      cover.hide("network");
      announce(t("Connected."));
    } else if (state === "away") {
      announce(t("Connection lost. Reconnecting…"), "assertive");
    } else if (state === "taken_over") {
      cover.show("network", {
        title: t("You’re playing in another tab"),
        text: t("You opened this match somewhere else. You can only play it in one place at a time."),
        actions: [{ label: t("Play here instead"), primary: true, run: () => session.link.resume() }],
      });
    } else if (state === "closed" && CLOSED[reason]) {
      cover.show("network", {
        title: t("Disconnected"),
        text: CLOSED[reason],
        actions: [{ label: t("Reload"), primary: true, run: () => location.reload() }],
      });
    }
  });
  return { element, away };
}
