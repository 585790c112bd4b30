import { h, setText, toggle } from "site/dom.js";
import { n, t } from "site/i18n.js";

import { createBoard } from "games/board/board.js";
import * as F from "games/board/faces.js";
import { countdownText, secondsLeft } from "games/match/time.js";
import { cellsOf, LENGTHS } from "./fleet.js";
import { picture, shipsOf } from "./picture.js";
import { createPlacement } from "./placement.js";

/** @import { Game, Truth } from "./types.d.ts" */
/** @import { Ship } from "games/board/types.d.ts" */
/** @import { MatchView, Page } from "games/match/types.d.ts" */

const CELLS = LENGTHS.reduce((sum, length) => sum + length, 0);
/** @type {Record<number, string>} */
const WORDS = { [F.SEA]: t("not bombed yet"), [F.MISS]: t("miss"), [F.HIT]: t("hit"), [F.SUNK]: t("sunk") };

/** The ships of a sea as bars; sunk ships are crossed out. */
function createFleetLine() {
  const bars = LENGTHS.map((length) => h("i", { "data-length": length }));
  return {
    element: h("span.fleet-line", { role: "img" }, bars),
    /** @param {Ship[]} sunk */
    update(sunk) {
      const gone = sunk.map((ship) => ship.length);
      for (const [i, length] of LENGTHS.entries()) {
        const at = gone.indexOf(length);
        bars[i].classList.toggle("is-sunk", at >= 0);
        if (at >= 0) gone.splice(at, 1);
      }
      this.element.setAttribute(
        "aria-label",
        t("{n} of {all} ships left", { n: LENGTHS.length - sunk.length, all: LENGTHS.length }),
      );
    },
  };
}

/**
 * @param {Page<Game, Truth>} page
 * @param {number} sea
 * @param {{ title: string, interactive: boolean, describe: (cell: number) => string }} options
 */
function createSea(page, sea, { title, interactive, describe }) {
  const frame = h("div.board-frame.sea");
  const line = createFleetLine();
  const name = h("b", {}, title);
  const element = h("figure.sea-figure", {}, h("figcaption", {}, name, line.element), frame);
  const board = createBoard(frame, {
    prefs: page.prefs,
    label: title,
    interactive,
    describe,
    whole: true,
    flags: false,
  });
  return { sea, element, board, line };
}

/** @param {Page<Game, Truth>} page @returns {MatchView} */
export function create(page) {
  const { session, notices, sound } = page;
  const me = session.seat;
  const game = () => session.view.game;
  /** @param {number} cell */
  const where = (cell) => `${"ABCDEFGHIJ"[cell % 10]}${Math.floor(cell / 10) + 1}`;
  /** @returns {(cell: number) => string} */
  const describe = (/** @type {number} */ sea) => (cell) => {
    const face = seas[sea]?.board.state.wanted.faces[cell] ?? F.SEA;
    const own = sea === me && placement?.placing() ? placement.describe(cell) : WORDS[face];
    return `${where(cell)}: ${own}`;
  };
  const order = me === null ? [0, 1] : [1 - me, me];
  /** @type {ReturnType<typeof createSea>[]} */
  const seas = [];
  for (const sea of order) {
    const title =
      sea === me ? t("Your sea") : me === null ? session.name(sea) : t("{name}’s sea", { name: session.name(sea) });
    seas[sea] = createSea(page, sea, { title, interactive: me !== null, describe: describe(sea) });
  }
  const placement = me === null ? null : createPlacement(page, seas[me].board);
  const target = me === null ? null : seas[1 - me];
  const both = h(
    me === null ? "div.seas.is-watched" : "div.seas",
    {},
    order.map((sea) => seas[sea].element),
  );
  const whose = h("p.whose-turn", { hidden: true });
  const element = h("div.battle", {}, whose, both);
  /** @type {number | null} */
  let hurried = null;

  function draw() {
    for (const { sea, board, line } of seas) {
      const sunk = game().seas[sea].sunk;
      const gone = new Set(sunk.flatMap(cellsOf));
      board.show(picture(session.view, { sea }));
      line.update(sunk);
      if (sea === me && placement?.placing()) placement.show();
      else board.showShips(shipsOf(session.view, sea).map((ship) => ({ ...ship, sunk: gone.has(ship.cell) })));
    }
  }

  const myTurn = () => me !== null && game().turn === me && session.view.phase === "live";

  target?.board.on("act", ({ kind, cell }) => {
    if (kind !== "reveal" || session.view.phase !== "live") return;
    if (target.board.state.wanted.faces[cell] !== F.SEA) return target.board.effect("refuse", cell);
    session.act({ type: "bomb", cell });
  });
  if (me !== null)
    seas[me].board.on("act", ({ kind, cell, by }) => kind === "reveal" && by === "keyboard" && placement?.press(cell));

  /** @param {{ seat: number, cell: number, hit: boolean, sunk: Ship | null, auto: boolean }} event */
  function bombed({ seat, cell, hit, sunk, auto }) {
    draw();
    const { board } = seas[1 - seat];
    if (sunk) cellsOf(sunk).forEach((each, i) => board.effect("sink", each, { delay: i * 90, duration: 800 }));
    else board.effect(hit ? "hit" : "splash", cell, { duration: 700 });
    sound.play(sunk ? "sunk" : hit ? "hit" : "splash");
    if (hit && 1 - seat === me) page.flash();
    const result = sunk ? t("sunk, a ship of {n} cells", { n: sunk.length }) : hit ? t("hit") : t("miss");
    const who = seat === me ? t("You") : session.name(seat);
    const late = auto ? ` ${t("(time ran out)")}` : "";
    notices.say(`${who}: ${where(cell)}, ${result}${late}`, {
      kind: hit ? (seat === me ? "good" : "bad") : "",
      now: true,
    });
    turned();
  }

  function turned() {
    if (!myTurn()) return;
    sound.play("turn");
    notices.say(t("Your turn."), { kind: "good" });
  }

  /** @type {Record<string, (event: any) => void>} Each event's effects besides the new picture. */
  const on = {
    bombed,
    turn() {
      draw();
      turned();
      if (myTurn()) target?.board.focus();
    },
    placed: draw,
    started: () => (draw(), sound.play("start")),
    lapsed: ({ seat }) =>
      notices.say(t("{name} missed three turns in a row.", { name: session.name(seat) }), { kind: "warn" }),
  };

  function showTurn() {
    const { turn } = game();
    const live = session.view.phase === "live" && turn !== null;
    toggle(whose, live);
    element.classList.toggle("is-mine", myTurn());
    if (!live) return;
    const name = session.name(myTurn() && me !== null ? 1 - me : turn);
    setText(whose, myTurn() ? t("Your turn: bomb {name}’s sea", { name }) : t("{name} is taking aim…", { name }));
  }

  /** @returns {void} */
  function hurry() {
    if (!myTurn()) {
      hurried = null;
      return;
    }
    const left = secondsLeft(game().turn_ends - session.time());
    if (left <= 5 && left !== hurried) sound.play("hurry");
    hurried = left;
  }

  return {
    element,
    boards: seas.map(({ board }) => board),
    mainBoard: target?.board ?? null,
    panel: placement?.element ?? null,
    view: draw,
    event: (event) => (on[event.type] ? on[event.type](event) : draw()),
    refused(refusal) {
      const { type, cell = -1 } = refusal.action ?? {};
      if (type === "place") placement?.refused();
      if (type === "bomb") target?.board.effect("refuse", cell);
      sound.play("refuse");
    },
    tick() {
      placement?.update();
      hurry();
      both.dataset.phase = session.view.phase;
      showTurn();
      for (const { sea, element: figure } of seas)
        figure.classList.toggle("is-target", session.view.phase === "live" && game().turn === 1 - sea);
      if (me === null) return;
      target?.board.enable(myTurn());
      seas[me].board.enable(Boolean(placement?.placing()));
    },
    flashes: true,
    clock() {
      const { phase, setup_ends } = session.view;
      if (phase === "setup")
        return {
          text: countdownText(setup_ends - session.time()),
          label: t("Time to place ships"),
          urgent: setup_ends - session.time() < 15_000,
        };
      const { turn, turn_ends } = game();
      if (phase === "over" || turn === null) return null;
      const left = turn_ends - session.time();
      return {
        text: countdownText(left),
        label: myTurn() ? t("Your turn") : t("{name}’s turn", { name: session.name(turn) }),
        urgent: myTurn() && left < 10_000,
      };
    },
    row(seat) {
      const tried = game().seas[1 - seat].tried;
      const hits = tried.filter((code) => code === 2).length;
      return {
        value: n("{n} hit", "{n} hits", hits),
        share: hits / CELLS,
        active: game().turn === seat,
        note: game().lapses[seat]
          ? { text: n("{n} turn missed", "{n} turns missed", game().lapses[seat]), kind: "warn" }
          : null,
      };
    },
    facts() {
      if (me === null || session.view.outcome.aborted) return [];
      const tried = game().seas[1 - me].tried;
      const bombs = tried.filter(Boolean).length;
      const hits = tried.filter((code) => code === 2).length;
      return [
        [t("Bombs"), String(bombs)],
        [t("Hits"), String(hits)],
        [t("Accuracy"), bombs ? `${Math.round((hits / bombs) * 100)}%` : "–"],
      ];
    },
  };
}
