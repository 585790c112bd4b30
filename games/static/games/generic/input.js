// Turns input on the board into events: "act" { kind, cell } and "key" (a key that the board doesn't use
// itself). A click, a tap, Enter or Space is primary; a right click, a long press or F is secondary.

import { step } from "./layout.js";

/** @typedef {import("./board.js").CellBoard} CellBoard */

const LONG_PRESS = 350; // ms, unless the viewer prefers another time
const SLACK = 12; // CSS pixels that a finger may wander during a press

/**
 * @param {CellBoard} board
 * @param {SVGSVGElement} surface
 * @param {{ interactive: boolean }} options
 * @returns {() => void} stops it
 */
export function startInput(board, surface, { interactive }) {
  const stopping = new AbortController();
  /** @type {{ timer: number, x: number, y: number } | null} */
  let press = null;
  let long = false; // the current press has counted as a long one

  /** @param {string} type @param {(event: any) => void} run */
  const listen = (type, run) => surface.addEventListener(type, run, { signal: stopping.signal });

  /** @param {Event} event */
  function cellOf(event) {
    const target = event.target instanceof Element ? event.target.closest("[data-cell]") : null;
    return target ? Number(/** @type {SVGElement} */ (target).dataset.cell) : -1;
  }

  /** @param {"primary" | "secondary"} kind @param {number} cell */
  function act(kind, cell) {
    if (interactive && board.state.enabled && cell >= 0) board.emit("act", { kind, cell });
  }

  function endPress() {
    if (press) clearTimeout(press.timer);
    press = null;
  }

  listen("pointerdown", (event) => {
    long = false;
    endPress();
    if (event.pointerType !== "touch" || !event.isPrimary) return;
    const cell = cellOf(event);
    const timer = setTimeout(() => {
      endPress();
      long = true;
      if (board.prefs.haptics !== false) navigator.vibrate?.(25);
      act("secondary", cell);
    }, board.prefs.long_press_ms ?? LONG_PRESS);
    press = { timer, x: event.clientX, y: event.clientY };
  });
  listen("pointermove", (event) => {
    if (press && Math.hypot(event.clientX - press.x, event.clientY - press.y) > SLACK) endPress();
  });
  for (const type of ["pointerup", "pointercancel", "pointerleave"]) listen(type, endPress);

  listen("click", (event) => {
    if (!long) act("primary", cellOf(event));
    long = false;
  });
  listen("contextmenu", (event) => {
    if (!interactive) return;
    event.preventDefault();
    // A long press by touch may also fire this event.
    if (!long && !press) act("secondary", cellOf(event));
  });

  listen("focusin", (event) => {
    const cell = cellOf(event);
    if (cell >= 0) board.moveTo(cell);
  });
  listen("keydown", (event) => {
    if (event.altKey || event.metaKey) return;
    const { wanted, cursor } = board.state;
    const next = step(wanted, cursor, event.key, event.ctrlKey);
    if (next !== null) board.moveTo(next, { focus: true });
    else if (event.ctrlKey) return;
    else if (event.key === "Enter" || event.key === " ") act("primary", cursor);
    else if (event.key.toLowerCase() === "f") act("secondary", cursor);
    else if (event.key === "+" || event.key === "=") board.zoom(1.25);
    else if (event.key === "-") board.zoom(0.8);
    else if (event.key === "0") board.fit();
    else return void board.emit("key", event);
    event.preventDefault();
  });

  return () => {
    endPress();
    stopping.abort();
  };
}
