import { h, toggle } from "site/dom.js";
import { t } from "site/i18n.js";

import { createField } from "games/match/field.js";
import { clockText, countdownText, secondsLeft } from "games/match/time.js";
import { picture } from "./picture.js";

/** @import { Game, Truth } from "./types.d.ts" */
/** @import { MatchView, Page } from "games/match/types.d.ts" */

/**
 * For spectators: everybody's progress, large. Nothing of the boards is known.
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
      h("p.soft", {}, t("The boards stay hidden while the race runs. This is how far everybody is.")),
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

/** @param {Page<Game, Truth>} page */
function createReady(page) {
  const { session } = page;
  const button = h(
    "button.button.primary.large.wide",
    { type: "button", onclick: () => session.act({ type: "ready" }) },
    t("I am ready"),
  );
  const text = h("p.soft");
  const element = h("div.setup-panel", {}, h("h2", {}, t("Ready?")), text, button);
  return {
    element,
    update() {
      const { view, seat } = session;
      toggle(element, view.phase === "setup");
      const ready = seat !== null && view.seats[seat].ready;
      toggle(button, seat !== null && !ready);
      text.textContent =
        ready || seat === null
          ? t("Waiting for the others…")
          : t("The same board for everyone. It starts when all are ready.");
    },
  };
}

/** @param {Page<Game, Truth>} page @returns {MatchView} */
export function create(page) {
  const { session, notices, sound } = page;
  const tracks = session.seat === null ? createTracks(page) : null;
  const field = tracks ? null : createField(page, { open: "reveal", label: t("Minefield"), picture });
  const ready = createReady(page);
  const game = () => session.view.game;
  /** Nobody for a spectator. */
  const me = () => (session.seat === null ? null : game().players[session.seat]);
  const lockedFor = () => (me()?.locked_until ?? 0) - session.time();

  /** @type {Record<string, (event: any) => void>} What each event shows beyond the new picture. */
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
          ? t("A mine: you are locked for {seconds} s.", { seconds })
          : t("{name} struck a mine.", { name: session.name(seat) }),
        { kind: seat === session.seat ? "bad" : "" },
      );
    },
    finished: ({ seat }) =>
      notices.say(t("{name} has cleared the board!", { name: session.name(seat) }), { kind: "good" }),
    over: () => field?.draw({ wave: "open" }),
  };

  return {
    element: (field ?? tracks ?? ready).element,
    boards: field ? [field.board] : [],
    panel: ready.element,
    view: () => field?.draw(),
    event: (event) => (on[event.type] ? on[event.type](event) : field?.draw()),
    refused: (refusal) => field?.refused(refusal),
    tick() {
      ready.update();
      tracks?.update(game().players);
      if (!field) return;
      const locked = lockedFor() > 0 && session.playing;
      field.board.enable(session.playing && session.view.phase === "live" && !locked && me()?.finished === null);
      page.freeze(locked ? { text: t("Locked"), left: lockedFor() } : null);
    },
    clock() {
      const { began, ends } = game();
      if (session.view.phase === "setup")
        return {
          text: countdownText(session.view.setup_ends - session.time()),
          label: t("To get ready"),
          urgent: true,
        };
      const done = me()?.finished ?? null;
      if (done !== null) return { text: clockText(done - began), label: t("Your time") };
      if (session.view.phase === "over") return null;
      const left = ends - session.time();
      return { text: countdownText(left), label: t("Left"), urgent: left < 30_000 };
    },
    counter: () =>
      field && game().cells && session.view.phase !== "setup"
        ? { text: String(field.flagsLeft(game().mines)), label: t("Mines left") }
        : null,
    row(seat) {
      const { percent, strikes, locked_until, finished } = game().players[seat];
      const locked = locked_until - session.time();
      let note = strikes ? { text: t("{n} struck", { n: strikes }), kind: "" } : null;
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
        [t("Mines struck"), String(mine.struck.length)],
        [t("Clicks"), String(mine.clicks)],
      ];
    },
  };
}
