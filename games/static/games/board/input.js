// Turns input on the board into events: "act" { kind, cell, by }, "hover" cell. A mode with draggable
// things sets `board.grab = (cell) => ({ move(cell), drop(cell), cancel() }) or null`.

import { startKeys } from "./keys.js";
import { startMouse } from "./mouse.js";
import { startTouch } from "./touch.js";

/** @import { Board, InputTools } from "games/board/types.d.ts" */

/** @param {Board} board @param {HTMLElement} surface @param {{ interactive: boolean }} options */
export function startInput(board, surface, { interactive }) {
  const stopping = new AbortController();
  /** @type {InputTools["listen"]} */
  const listen = (type, run, options = {}) =>
    surface.addEventListener(type, run, { signal: stopping.signal, ...options });
  /** @param {MouseEvent} event */
  const local = (event) => {
    const box = surface.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  /** @param {MouseEvent} event */
  const cellOf = (event) => {
    const { x, y } = local(event);
    return board.cellAt(x, y);
  };
  const tools = { listen, local, cellOf, interactive };
  const keys = startKeys(board, tools);
  startMouse(board, tools, keys);
  startTouch(board, tools);
  listen("contextmenu", (event) => event.preventDefault());
  return () => stopping.abort();
}
