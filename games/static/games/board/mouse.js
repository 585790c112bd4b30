// Mouse and pen: left reveals, right flags, middle or both or left on a number chord; the wheel zooms;
// the middle button or space drags the board.

import { act, primary } from "./intent.js";
import { isWhole, pan } from "./viewport.js";

/** @import { Board, Held, InputTools, Keys } from "games/board/types.d.ts" */

const LEFT = 1;
const RIGHT = 2;
const MIDDLE = 4;
const DRAG_FROM = 5; // CSS pixels

/**
 * @typedef {object} Press
 * @property {number} x
 * @property {number} y
 * @property {number} cell
 * @property {number} buttons
 * @property {boolean} panning
 * @property {boolean} chording
 * @property {Held | null} held
 */

/** @param {Board} board @param {InputTools} tools @param {Keys} keys */
export function startMouse(board, { listen, local, cellOf, interactive }, keys) {
  /** @type {Press | null} */
  let down = null;
  /** @param {PointerEvent} event */
  const mouse = (event) => event.pointerType !== "touch";

  /** @param {number} cell */
  function hover(cell) {
    if (cell === board.state.hover) return;
    board.set({ hover: interactive ? cell : -1, cursorShown: board.state.cursorShown && cell < 0 });
    board.emit("hover", cell);
  }

  function release() {
    down = null;
    board.set({ pressed: [] });
  }

  /** @param {PointerEvent} event */
  function begin(event) {
    const cell = cellOf(event);
    const button = event.buttons;
    if (down === null) down = { ...local(event), cell, buttons: 0, panning: false, chording: false, held: null };
    const before = down.buttons;
    down.buttons |= button;
    if (!interactive || down.held) return;
    if (keys.spaceHeld()) return;
    const both = down.buttons & LEFT && down.buttons & RIGHT;
    if (both) {
      if (board.prefs.chord_both !== false) down.chording = true;
    } else if (down.buttons & RIGHT && !(before & RIGHT)) {
      act(board, "flag", cell, "mouse");
    } else if (down.buttons & LEFT && cell >= 0) {
      down.held = board.grab?.(cell) ?? null;
      if (!down.held) board.set({ pressed: [cell] });
    }
  }

  /** @param {PointerEvent} event */
  function finish(event) {
    const cell = cellOf(event);
    const was = down;
    if (!was) return;
    if (was.held) {
      release();
      was.held.drop(cell);
    } else if (was.panning) {
      if (event.buttons === 0) release();
    } else if (was.chording) {
      act(board, "chord", cell, "mouse");
      release();
    } else if (was.buttons & MIDDLE) {
      if (board.prefs.chord_middle !== false && interactive && cell === was.cell) act(board, "chord", cell, "mouse");
      release();
    } else if (was.buttons & LEFT && cell === was.cell && cell >= 0 && interactive && !keys.spaceHeld()) {
      release();
      act(board, primary(board, cell), cell, "mouse");
    } else {
      release();
    }
  }

  listen("pointerdown", (event) => {
    if (!mouse(event)) return;
    if (event.button === 1) event.preventDefault(); // no auto-scroll
    /** @type {Element} */ (event.target).setPointerCapture?.(event.pointerId);
    board.set({ cursorShown: false });
    begin(event);
  });
  listen("pointermove", (event) => {
    if (!mouse(event)) return;
    const cell = cellOf(event);
    hover(cell);
    if (!down) return;
    if (event.buttons & ~down.buttons) return begin(event); // another button joins in
    if (event.buttons !== down.buttons && down.chording) return finish(event);
    const { x, y } = local(event);
    if (down.held) return down.held.move(cell);
    const drags = down.buttons & MIDDLE || keys.spaceHeld() || (!interactive && down.buttons & LEFT);
    if (drags && (down.panning || Math.hypot(x - down.x, y - down.y) > DRAG_FROM)) {
      const { ratio } = board.state.viewport;
      pan(board.state.viewport, (x - down.x) * ratio, (y - down.y) * ratio);
      Object.assign(down, { x, y, panning: true });
      keys.spaceUsed();
      board.redraw();
    } else if (!drags && down.buttons & LEFT && interactive) {
      board.set({ pressed: cell === down.cell && cell >= 0 ? [cell] : [] });
    }
  });
  listen("pointerup", (event) => mouse(event) && finish(event));
  listen("pointercancel", (event) => {
    if (!mouse(event)) return;
    down?.held?.cancel();
    release();
  });
  listen("pointerleave", (event) => mouse(event) && hover(-1));
  listen(
    "wheel",
    (event) => {
      // Let the page scroll over a board that can't zoom, or one without input that is all visible.
      if (board.whole || (!interactive && !event.ctrlKey && isWhole(board.state.viewport))) return;
      event.preventDefault();
      const { x, y } = local(event);
      const { ratio } = board.state.viewport;
      board.zoom(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.0016)), x * ratio, y * ratio);
    },
    { passive: false },
  );
}
