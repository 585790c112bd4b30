// The top of the sidebar: the mode, rated or casual, the number of spectators, and the clocks.

import { h, icon, setText, toggle } from "site/dom.js";
import { n, t } from "site/i18n.js";

import { isStarting } from "./ready.js";
import { countdownText } from "./time.js";

/** @import { Figure, MatchData, MatchView, Session } from "games/match/types.d.ts" */

/** @param {Session} session @returns {Figure} */
const start = (session) => ({
  text: countdownText(session.view.setup_ends - session.time()),
  label: t("Starts in"),
  urgent: true,
});

/** @param {Session} session @param {MatchData} data @param {HTMLElement} linkQuality */
export function createHead(session, data, linkQuality) {
  const count = h("span");
  const watchers = h("span.watchers", { title: t("Spectators") }, icon("watch"), count);
  const status = h("span.badge.info", { hidden: true }, t("watching"));
  const element = h(
    "div.match-head",
    {},
    h("h1", {}, data.match.title),
    h("span.badge", {}, data.match.rated ? t("rated") : data.players.length === 1 ? t("solo") : t("casual")),
    status,
    watchers,
    linkQuality,
  );
  const figure = () => {
    const text = h("b.clock");
    const label = h("span");
    return { text, label, element: h("div.figure", {}, text, label) };
  };
  const clock = figure();
  const counter = figure();
  const stages = h("div.stages");
  const clocks = h("div.clocks", {}, clock.element, counter.element, stages);
  /** Put a button between the figures. @param {HTMLElement} button */
  const use = (button) => counter.element.before(button);

  /** @param {ReturnType<typeof figure>} box @param {Figure | null} shown */
  function fill({ text, label, element: box }, shown) {
    toggle(box, Boolean(shown));
    if (!shown) return;
    setText(text, shown.text);
    setText(label, shown.label);
    box.classList.toggle("is-urgent", Boolean(shown.urgent));
  }

  return {
    element,
    clocks,
    use,
    /** @param {MatchView} mode */
    update(mode) {
      fill(clock, isStarting(session.view) ? start(session) : mode.clock());
      fill(counter, mode.counter?.() ?? null);
      if (mode.stages && stages.firstChild !== mode.stages) stages.replaceChildren(mode.stages);
      toggle(stages, Boolean(mode.stages));
      toggle(watchers, session.spectators > 0);
      setText(count, String(session.spectators));
      const out = session.seat !== null && session.view.phase === "live" && !session.playing;
      toggle(status, session.seat === null || out);
      if (out) return void setText(status, t("out, watching"));
      const behind = session.view.phase === "over" ? 0 : Math.round(session.welcome.delay / 1000);
      setText(
        status,
        behind > 0 ? n("watching, {n} second behind", "watching, {n} seconds behind", behind) : t("watching"),
      );
    },
  };
}
