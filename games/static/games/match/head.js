// The top of the side: what is played, for what, who watches, and the clocks.

import { h, icon, setText, toggle } from "site/dom.js";
import { t } from "site/i18n.js";

import { modeTitle } from "../modes.js";

/** @import { Figure, MatchData, MatchView, Session } from "games/match/types.d.ts" */

/** @param {Session} session @param {MatchData} data @param {HTMLElement} linkQuality */
export function createHead(session, data, linkQuality) {
  const count = h("span");
  const watchers = h("span.watchers", { title: t("Spectators") }, icon("watch"), count);
  const status = h("span.badge.info", { hidden: true }, t("watching"));
  const element = h(
    "div.match-head",
    {},
    h("h1", {}, modeTitle(data.match.mode)),
    h("span.badge", {}, data.match.rated ? t("rated") : data.match.source === "solo" ? t("solo") : t("casual")),
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
    /** @param {MatchView} mode */
    update(mode) {
      fill(clock, mode.clock());
      fill(counter, mode.counter?.() ?? null);
      if (mode.stages && stages.firstChild !== mode.stages) stages.replaceChildren(mode.stages);
      toggle(stages, Boolean(mode.stages));
      toggle(watchers, session.spectators > 0);
      setText(count, String(session.spectators));
      toggle(status, session.seat === null);
    },
  };
}
