// The list of live matches on /watch/ and the front page.

import { h } from "site/dom.js";
import { n, t } from "site/i18n.js";

import { modeTitle } from "../modes.js";

/** @import { LiveMatch, LivePlayer } from "games/lobby/types.d.ts" */

/** @type {Record<string, string>} */
const BADGES = { house: t("bot"), bot: t("bot"), guest: t("guest") };

/** @param {LivePlayer[]} list */
const players = (list) =>
  h(
    "span.live-players",
    {},
    list.flatMap(({ name, kind }, seat) => [
      seat ? h("i", {}, t("against")) : null,
      h(`b.seat-name.seat-${seat + 1}`, {}, name),
      kind in BADGES ? h("span.badge", {}, BADGES[kind]) : null,
    ]),
  );

/** @param {LiveMatch} match */
const row = ({ url, mode, rated, players: seats, spectators }) =>
  h(
    "li",
    {},
    h(
      "a.live-match",
      { href: url },
      players(seats),
      h(
        "span.row.live-facts",
        {},
        h("span.badge.live", {}, modeTitle(mode)),
        rated ? h("span.badge.info", {}, t("rated")) : null,
        h("span.soft.small-text", {}, n("{n} watching", "{n} watching", spectators)),
      ),
    ),
  );

/**
 * Fill `list` with the matches; `empty` is shown instead when there are none.
 * @param {HTMLElement} list
 * @param {HTMLElement | null} empty
 * @param {LiveMatch[]} live
 */
export function showMatches(list, empty, live, most = 50) {
  list.replaceChildren(...live.slice(0, most).map(row));
  list.hidden = live.length === 0;
  if (empty) empty.hidden = live.length > 0;
}
