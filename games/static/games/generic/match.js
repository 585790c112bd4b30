// The match page of a mode in the common board format (docs/board-format.md).

import { announce } from "site/announce.js";
import { h } from "site/dom.js";
import { t } from "site/i18n.js";

import { countdownText } from "../match/time.js";
import { createCellBoard } from "./board.js";
import { createPanel } from "./panel.js";
import { picture, scoresOf } from "./picture.js";
import { describeCell, describeEvent, placeOf } from "./words.js";

const URGENT = 10_000; // ms
const FRAMED = 12; // a change of more cells isn't framed as a move

/** @param {any} page the page that match/page.js passes to a mode */
export function create(page) {
  const { session, prefs, sound } = page;
  const frame = h("div.board-frame");
  const nameOf = (/** @type {number} */ seat) => (seat === session.seat ? t("you") : session.name(seat));
  const board = createCellBoard(frame, {
    prefs,
    you: session.seat,
    interactive: session.seat !== null,
    label: t("Board"),
    describe: (cell) => describeCell(board.state.wanted, cell, nameOf, board.state.legal.includes(cell)),
  });
  const panel = createPanel(session, ({ type }) => session.act({ type }));
  const game = () => session.view.game;
  /** @type {number | null} whose turn it was before the next event */
  let turn = null;

  board.on("act", (/** @type {{ kind: string, cell: number }} */ { kind, cell }) => {
    const action = panel.action(kind === "secondary");
    if (!action || board.state.wanted.cells[cell] === "blocked") return;
    if (action.cells?.includes(cell) ?? true) session.act({ type: action.type, cell });
    else page.refuse({ code: "not_offered", text: t("You can’t do that on this cell."), action: { cell } });
  });
  board.on("key", (/** @type {KeyboardEvent} */ { key }) => {
    if (/^[1-9]$/.test(key)) panel.pick(Number(key) - 1);
  });

  const draw = () => board.show(picture(session.view));

  /** @param {import("./fold.js").BoardEvent} event */
  function told(event) {
    draw();
    const { set = [] } = event;
    if (set.length) {
      board.mark({ frames: set.length > FRAMED ? [] : set.map(([cell]) => ({ cell })) });
      sound.play(set.length > 3 ? "flood" : "open");
    }
    const yours = session.seat !== null && event.turn === session.seat;
    const changed = yours ? { ...event, turn: undefined } : event;
    const mover = turn === session.seat ? null : turn;
    turn = game().turn;
    const words = describeEvent(changed, { place: (cell) => placeOf(game().board, cell), nameOf, mover });
    announce([words, yours ? t("It’s your turn.") : ""].filter(Boolean).join(" "));
  }

  return {
    element: frame,
    boards: [board],
    panel: panel.element,
    view() {
      turn = game().turn;
      draw();
      board.mark({});
    },
    /** @param {any} event */
    event: (event) => (event.type === "board" ? told(event) : draw()),
    /** @param {any} refusal */
    refused({ action }) {
      sound.play("refuse");
      if (Number.isInteger(action?.cell)) board.effect("refuse", action.cell);
    },
    tick() {
      panel.update();
      const action = panel.action();
      board.enable(session.playing && session.view.phase === "live" && action !== null);
      board.offer(action?.cells ?? []);
    },
    clock() {
      const { phase, setup_ends: setupEnds } = session.view;
      if (phase === "setup")
        return { text: countdownText(setupEnds - session.time()), label: t("Time to get ready"), urgent: true };
      const { clock } = game();
      if (phase === "over" || !clock) return null;
      const left = clock.ends - session.time();
      return { text: countdownText(left), label: t(clock.label), urgent: left < URGENT };
    },
    /** @param {number} seat */
    row: (seat) => ({
      value: scoresOf(session.view)[seat] ?? "",
      active: session.view.phase === "live" && game().turn === seat,
    }),
  };
}
