import { h } from "site/dom.js";
import { n, t } from "site/i18n.js";

import { createField } from "games/match/field.js";
import { clockText, countdownText, secondsLeft } from "games/match/time.js";
import { picture } from "./picture.js";

/** @import { Game, Truth } from "./types.d.ts" */
/** @import { MatchView, Page } from "games/match/types.d.ts" */

/**
 * For spectators, who can't see the boards: everybody's progress, drawn large.
 * @param {Page<Game, Truth>} page
 */
function createTracks(page) {
  const { session } = page;
  const lanes = session.welcome.players.map((player) => {
    const bar = h("span.lane-bar");
    const text = h("b");
    return { bar, text, element: h("li.lane", {}, h("span", {}, player.name), text, h("span.lane-track", {}, bar)) };
  });
  return {
    element: h(
      "div.tracks",
      {},
      h("p.soft", {}, t("Boards stay hidden during the race. This is everyone’s progress.")),
      h(
        "ol",
        {},
        lanes.map((lane) => lane.element),
      ),
    ),
    /** @param {Game["players"]} players */
    update(players) {
      players.forEach(({ percent }, seat) => {
        lanes[seat].bar.style.width = `${percent}%`;
        lanes[seat].text.textContent = `${percent}%`;
      });
    },
  };
}

/** @param {Page<Game, Truth>} page @returns {MatchView} */
export function create(page) {
  const { session, notices, sound } = page;
  const tracks = session.seat === null ? createTracks(page) : null;
  const field = tracks ? null : createField(page, { open: "reveal", label: t("Minefield"), picture });
  const game = () => session.view.game;
  /** The viewer's player; null for a spectator. */
  const me = () => (session.seat === null ? null : game().players[session.seat]);
  const lockedFor = () => (me()?.locked_until ?? 0) - session.time();

  /** @type {Record<string, (event: any) => void>} Each event's effects besides the new picture. */
  const on = {
    opened({ cells }) {
      const open = game().cells.filter((code) => code >= 0).length;
      if (open === cells.length) field?.board.closeUp(cells[0]); // the first ones
      field?.opened(cells);
    },
    mine({ cell }) {
      field?.draw();
      field?.board.effect("burst", cell, { duration: 700 });
      sound.play("mine");
      page.flash();
    },
    began() {
      sound.play("start");
      notices.say(t("Go!"), { kind: "good", now: true });
      field?.board.focus();
    },
    locked({ seat, until }) {
      const seconds = secondsLeft(until - session.time());
      notices.say(
        seat === session.seat
          ? t("A mine! You’re locked for {seconds} s.", { seconds })
          : t("{name} hit a mine.", { name: session.name(seat) }),
        { kind: seat === session.seat ? "bad" : "" },
      );
    },
    finished: ({ seat }) =>
      notices.say(t("{name} has cleared the board!", { name: session.name(seat) }), { kind: "good" }),
    over: () => field?.draw({ wave: "open" }),
  };

  return {
    element: /** @type {HTMLElement} */ ((field ?? tracks)?.element),
    boards: field ? [field.board] : [],
    view: () => field?.draw(),
    event: (event) => (on[event.type] ? on[event.type](event) : field?.draw()),
    refused: (refusal) => field?.refused(refusal),
    tick() {
      tracks?.update(game().players);
      if (!field) return;
      const locked = lockedFor() > 0 && session.playing;
      field.board.enable(session.playing && session.view.phase === "live" && !locked && me()?.finished === null);
      page.freeze(locked ? { text: t("Locked"), left: lockedFor() } : null);
    },
    flashes: true,
    clock() {
      const { began, ends } = game();
      if (session.view.phase === "setup")
        return {
          text: countdownText(session.view.setup_ends - session.time()),
          label: t("Time to get ready"),
          urgent: true,
        };
      const done = me()?.finished ?? null;
      if (done !== null) return { text: clockText(done - began), label: t("Your time") };
      if (session.view.phase === "over") return null;
      const left = ends - session.time();
      return { text: countdownText(left), label: t("Time left"), urgent: left < 30_000 };
    },
    counter: () =>
      field && game().cells && session.view.phase !== "setup"
        ? { text: String(field.flagsLeft(game().mines)), label: t("Mines left") }
        : null,
    row(seat) {
      const { percent, strikes, locked_until, finished } = game().players[seat];
      const locked = locked_until - session.time();
      let note = strikes ? { text: n("{n} mine hit", "{n} mines hit", strikes), kind: "" } : null;
      if (locked > 0 && session.view.phase === "live")
        note = { text: t("locked {left}s", { left: secondsLeft(locked) }), kind: "bad" };
      if (finished !== null) note = { text: clockText(finished - game().began, { tenths: true }), kind: "good" };
      return { value: `${percent}%`, share: percent / 100, note };
    },
    facts() {
      const mine = session.view.truth?.players[session.seat ?? -1];
      if (!mine) return [];
      return [
        [t("Time"), mine.time_ms === null ? "–" : clockText(mine.time_ms, { tenths: true })],
        [t("Mines hit"), String(mine.struck.length)],
        [t("Clicks"), String(mine.clicks)],
      ];
    },
  };
}
