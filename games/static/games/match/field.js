// A playable minefield: turns input into actions, and draws the player's own flags right away. Reveals wait
// for the server.

import { announce } from "site/announce.js";
import { h } from "site/dom.js";
import { n } from "site/i18n.js";

import { createBoard } from "../board/board.js";
import * as F from "../board/faces.js";
import { describeCell } from "./cells.js";
import { createQuestions } from "./questions.js";

/** @import { Coming, Picture } from "games/board/types.d.ts" */
/** @import { Field, MakePicture, Page } from "games/match/types.d.ts" */

/**
 * The number of flags and known mines.
 * @param {Picture} picture
 */
function countFlags({ faces }) {
  let flags = 0;
  for (const face of faces) if (face === F.FLAG || face === F.STRUCK || face === F.EXPOSED) flags++;
  return flags;
}

/**
 * `open` is the action's name for a reveal ("reveal" or "claim"), `picture` the mode's picture.js.
 * @param {Page} page
 * @param {{ open: "reveal" | "claim", label: string, picture: MakePicture }} options
 * @returns {Field}
 */
export function createField(page, { open, label, picture }) {
  const { session, prefs, sound } = page;
  /** @type {Map<number, boolean>} */
  const pending = new Map(); // cell -> on: flag changes that the server has not confirmed yet
  /** @type {Set<number>} */
  const hopes = new Set(); // cells that were hidden when the player claimed them
  const questions = createQuestions(page.data.match.id); // cells with a question mark, which only this page knows
  const frame = h("div.board-frame");
  /** @type {{ picture: Picture | null, flags: number }} */
  let counted = { picture: null, flags: 0 }; // the flag count of the current picture

  /** @param {number} owner */
  const nameOf = (owner) => (owner === session.seat ? "" : session.name(owner));
  /** @param {number} cell @returns {string} */
  const describe = (cell) => describeCell(board.state.wanted, cell, nameOf);

  const board = createBoard(frame, { prefs, you: session.seat, label, describe, interactive: session.seat !== null });

  /** @param {Coming} [how] */
  function draw(how = {}) {
    const drawn = picture(session.view, { pending });
    if (pending.size) {
      const sure = picture(session.view);
      for (const [cell, on] of pending) {
        if ((sure.faces[cell] === F.FLAG) === on) pending.delete(cell);
      }
    }
    questions.draw(drawn);
    board.show(drawn, how);
  }

  /** @param {number} cell */
  function flag(cell) {
    const face = board.state.wanted.faces[cell];
    if (!F.isHidden(face)) return;
    if (questions.take(cell)) {
      sound.play("unflag");
      return draw();
    }
    const on = face !== F.FLAG;
    if (!on && prefs.question_marks) questions.put(cell);
    if (!session.act({ type: "flag", cell, on })) return;
    pending.set(cell, on);
    sound.play(on ? "flag" : "unflag");
    draw();
    board.effect("pop", cell, { face: on ? F.FLAG : F.HIDDEN, duration: 160 });
  }

  board.on("act", ({ kind, cell }) => {
    if (field.intercept?.(kind, cell)) return;
    const face = board.state.wanted.faces[cell];
    if (kind === "flag") flag(cell);
    else if (kind === "chord") {
      if (face <= 8) session.act({ type: "chord", cell });
    } else if (face === F.HIDDEN || face === F.START || face === F.QUESTION) {
      hopes.add(cell);
      session.act({ type: open, cell });
    } else if (face === F.PLAIN) session.act({ type: open, cell }); // the server knows whose it is
  });

  /** @type {Field} */
  const field = {
    element: frame,
    board,
    draw,
    /** Set by a mode to handle an input itself; returns whether it did. */
    intercept: null,
    /** Undo the flag of a refused action, and play the refusal effect on the cell. */
    refused({ action, code }) {
      const cell = action?.cell ?? -1;
      if (action?.type === "flag") pending.delete(cell);
      draw();
      if (code === "same_flag") return;
      if (cell >= 0) board.effect("refuse", cell, { duration: 350 });
      sound.play("refuse");
    },
    /** Whether another player got this cell while our claim was in flight. */
    wasFaster: (cell) => hopes.delete(cell),
    flagsLeft(mines) {
      if (counted.picture !== board.state.wanted)
        counted = { picture: board.state.wanted, flags: countFlags(board.state.wanted) };
      return mines - counted.flags;
    },
    /** Show newly opened cells, as a wave from the first of them. */
    opened(cells, wave = "open") {
      draw({ wave, origin: cells[0] });
      if (board.state.cursorShown)
        announce(n("{n} cell opened.", "{n} cells opened.", cells.length) + ` ${describe(board.state.cursor)}`);
      sound.play(cells.length > 3 ? "flood" : "open");
    },
  };
  return field;
}
