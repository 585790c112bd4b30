// The players beside the board: colour, name, kind, rating, progress, and state (ready, away, out).

import { context2d, h, icon, setText, toggle } from "site/dom.js";
import { t } from "site/i18n.js";

import { hatch, readColours } from "../board/colours.js";
import { KIND_BADGES } from "./texts.js";
import { secondsLeft } from "./time.js";

/** @import { Colours } from "games/board/types.d.ts" */
/** @import { MatchData, MatchView, Row, Seat, Session, View } from "games/match/types.d.ts" */
/** @import { Prefs } from "games/prefs.js" */

/** @param {number} seat @param {Colours} colours @param {boolean} patterns */
function swatch(seat, colours, patterns) {
  const canvas = h("canvas.swatch", { width: 44, height: 44, "aria-hidden": "true" });
  const ctx = context2d(canvas);
  ctx.fillStyle = colours.theirs[seat];
  ctx.fillRect(0, 0, 44, 44);
  if (patterns) {
    ctx.scale(2, 2);
    for (let y = 0; y < 2; y++) {
      for (let x = 0; x < 2; x++) {
        ctx.save();
        ctx.translate(x * 11, y * 11);
        hatch(ctx, colours.patterns[seat], 11, colours.seats[seat]);
        ctx.restore();
      }
    }
  }
  canvas.style.borderColor = colours.seats[seat];
  return canvas;
}

/**
 * The state of a player's presence (ready, away, out), or null.
 * @param {Seat} seat
 * @param {View} view
 * @param {number} time
 * @param {boolean} readies whether players confirm that they are ready
 */
function presence(seat, view, time, readies) {
  if (seat.retired !== null) return { text: t("out"), kind: "bad" };
  if (seat.claimable) return { text: t("gone"), kind: "bad" };
  if (!seat.connected && view.phase !== "over") {
    const left = seat.deadline === null ? null : secondsLeft(seat.deadline - time);
    return { text: left === null ? t("away") : t("away {left}s", { left }), kind: "warn" };
  }
  if (view.phase === "setup" && readies)
    return seat.ready ? { text: t("ready"), kind: "good" } : { text: t("not ready"), kind: "" };
  return null;
}

/** @param {Session} session @param {Prefs} prefs @param {MatchData} data */
export function createPlayers(session, prefs, data) {
  const list = h("ul.players", { "aria-label": t("Players") });
  /** @type {{ element: HTMLElement, value: HTMLElement, note: HTMLElement, bar: HTMLElement, track: HTMLElement }[]} */
  const rows = [];
  /** @type {Pick<MatchView, "side" | "readies">} */
  let mode = {};

  /** @param {Pick<MatchView, "side" | "readies">} [view] the mode's, when it is new */
  function build(view = mode) {
    mode = view;
    const colours = readColours(prefs);
    rows.length = 0;
    const players = session.welcome.players;
    list.replaceChildren(
      ...players.map((player, seat) => {
        const bar = h("span.player-bar");
        const { colour, badge: side = null } = mode.side?.(seat) ?? { colour: seat };
        const parts = {
          swatch: players.length > 1 ? swatch(colour, colours, prefs.patterns) : null,
          value: h("b.player-value"),
          note: h("span.badge"),
          bar,
          track: h("span.player-track", { "aria-hidden": "true" }, bar),
        };
        const rating = data.players?.[seat]?.rating;
        const name = player.user
          ? h("a.player-name", { href: `/@${encodeURIComponent(player.user)}/` }, player.name)
          : h("span.player-name", {}, player.name);
        const badge = KIND_BADGES[player.kind];
        const element = h(
          `li.player${seat === session.seat ? ".is-you" : ""}`,
          {},
          parts.swatch,
          name,
          parts.value,
          h(
            "span.player-foot",
            {},
            seat === session.seat ? h("span.badge.good.player-kind", {}, t("you")) : null,
            side ? h("span.badge.good.player-kind", {}, side) : null,
            badge ? h("span.badge.player-kind", {}, player.kind === "guest" ? null : icon("robot"), badge) : null,
            rating ? h("span.player-rating", { title: t("Rating") }, String(Math.round(rating))) : null,
            parts.note,
            parts.track,
          ),
        );
        parts.bar.style.background = players.length > 1 ? colours.seats[colour] : colours.pine;
        rows.push({ element, ...parts });
        return element;
      }),
    );
  }

  return {
    element: list,
    build,
    /**
     * `describe(seat)` -> { value, share (0 to 1, or null), note: { text, kind } or null, active }
     * @param {(seat: number) => Row} describe
     */
    update(describe) {
      const { view } = session;
      const time = session.time();
      rows.forEach((row, seat) => {
        const { value = "", share = null, note = null, active = false } = describe(seat);
        const shown = presence(view.seats[seat], view, time, mode.readies !== false) ?? note;
        setText(row.value, view.phase === "setup" ? "" : value);
        toggle(row.note, Boolean(shown));
        if (shown) {
          setText(row.note, shown.text);
          row.note.className = `badge ${shown.kind}`;
        }
        row.track.hidden = share === null;
        // Scale the bar: changing its width would lay out the whole page in every frame.
        row.bar.style.transform = `scaleX(${Math.round((share ?? 0) * 1000) / 1000})`;
        row.element.classList.toggle("is-active", active);
        row.element.classList.toggle("is-out", view.seats[seat].retired !== null);
      });
    },
  };
}
