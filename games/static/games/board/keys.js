// The keyboard: arrows move the cursor (with Ctrl or Shift five cells), space or Enter reveal, F flags,
// C chords, + - 0 zoom. Space held while dragging with the mouse pans instead.

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

  /** @param {string} key */
  function press(key) {
    const { cursor } = board.state;
    board.set({ cursorShown: true });
    if (key === "Enter") act(board, primary(board, cursor), cursor, "keyboard");
    else if (key === "f") act(board, "flag", cursor, "keyboard");
    else if (key === "c") act(board, "chord", cursor, "keyboard");
    else return false;
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
    if (move(event) || zoom(key) || (interactive && press(key))) event.preventDefault();
    else board.emit("key", event);
  });
  listen("keyup", (event) => {
    if (event.key !== " " || !space) return;
    space = false;
    if (used || !interactive) return;
    board.set({ cursorShown: true });
    act(board, primary(board, board.state.cursor), board.state.cursor, "keyboard");
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
