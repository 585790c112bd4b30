// Everything a viewer does on the board, as events: "act" { kind, cell, by }, "hover" cell. A mode that
// lets things be dragged sets `board.grab = (cell) => ({ move(cell), drop(cell), cancel() }) or null`.

import { startKeys } from "./keys.js";
import { startMouse } from "./mouse.js";
import { startTouch } from "./touch.js";

export function startInput(board, surface, { interactive }) {
  const stopping = new AbortController();
  const listen = (type, run, options = {}) =>
    surface.addEventListener(type, run, { signal: stopping.signal, ...options });
  const local = (event) => {
    const box = surface.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
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
