// The keyboard: arrows move the cursor (with Ctrl or Shift five cells), space or Enter reveal, F flags,
// C chords, N reads the cells around, + - 0 zoom. Keys act on the cell under the mouse if it moved after the
// cursor. Space held while dragging with the mouse pans instead.

import { announce } from "site/announce.js";

import { act, primary } from "./intent.js";
import * as viewport from "./viewport.js";

/** @import { Board, InputTools } from "games/board/types.d.ts" */

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {Board} board @param {InputTools} tools */
export function startKeys(board, { listen, interactive }) {
  let space = false;
  let used = false;

  /** @param {number} column @param {number} row */
  function moveTo(column, row) {
    const { width, height } = board.state.wanted;
    const cell = Math.max(0, Math.min(height - 1, row)) * width + Math.max(0, Math.min(width - 1, column));
    viewport.reveal(board.state.viewport, cell);
    board.set({ cursor: cell, cursorShown: true });
    board.redraw();
    board.emit("cursor", cell);
  }

  /** @param {KeyboardEvent} event */
  function move(event) {
    const { width, height } = board.state.wanted;
    const cursor = board.state.cursor;
    const [column, row] = [cursor % width, Math.floor(cursor / width)];
    const far = event.ctrlKey || event.shiftKey ? 5 : 1;
    const step = STEPS[event.key];
    if (step) return (moveTo(column + step[0] * far, row + step[1] * far), true);
    if (event.key === "Home") return (moveTo(0, event.ctrlKey ? 0 : row), true);
    if (event.key === "End") return (moveTo(width - 1, event.ctrlKey ? height - 1 : row), true);
    return false;
  }

  /** @param {string} key */
  function zoom(key) {
    if (key === "+" || key === "=") board.zoom(1.25);
    else if (key === "-") board.zoom(0.8);
    else if (key === "0") board.fit();
    else return false;
    return true;
  }

  /** The cell that a key acts on. */
  function target() {
    const { cursor, cursorShown, hover } = board.state;
    if (!cursorShown && hover >= 0) return hover;
    board.set({ cursorShown: true });
    return cursor;
  }

  /** Read the cells around the cursor to screen readers, row by row. @param {string} key */
  function read(key) {
    const { cursor } = board.state;
    if (key !== "n" || cursor < 0) return false;
    const { width, height } = board.state.wanted;
    const [column, row] = [cursor % width, Math.floor(cursor / width)];
    const around = [];
    for (let y = Math.max(0, row - 1); y <= Math.min(height - 1, row + 1); y++) {
      for (let x = Math.max(0, column - 1); x <= Math.min(width - 1, column + 1); x++) {
        if (x !== column || y !== row) around.push(board.describe(y * width + x));
      }
    }
    announce(around.join(". "));
    return true;
  }

  /** @param {string} key */
  function press(key) {
    if (!["Enter", "f", "c"].includes(key)) return false;
    const cell = target();
    const kind = key === "Enter" ? primary(board, cell) : key === "f" ? "flag" : "chord";
    act(board, kind, cell, "keyboard");
    return true;
  }

  listen("keydown", (event) => {
    if (event.altKey || event.metaKey) return;
    if (event.key === " ") {
      event.preventDefault();
      if (!space) used = false;
      space = true;
      return;
    }
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey && !STEPS[key] && key !== "Home" && key !== "End") return;
    if (move(event) || zoom(key) || read(key) || (interactive && press(key))) event.preventDefault();
    else board.emit("key", event);
  });
  listen("keyup", (event) => {
    if (event.key !== " " || !space) return;
    space = false;
    if (used || !interactive) return;
    const cell = target();
    act(board, primary(board, cell), cell, "keyboard");
  });
  listen("focus", (event) => {
    if (board.state.cursor < 0) {
      const { width, height } = board.state.wanted;
      board.set({ cursor: Math.floor(height / 2) * width + Math.floor(width / 2) });
    }
    if (/** @type {HTMLElement} */ (event.target).matches(":focus-visible")) board.set({ cursorShown: true });
  });
  listen("blur", () => {
    space = false;
    board.set({ cursorShown: false });
  });

  return { spaceHeld: () => space, spaceUsed: () => (used = true) };
}
