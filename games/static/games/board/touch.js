// Touch: a tap reveals (or flags in flag mode), a long press does the opposite and shows its progress as a
// ring, one finger drags a board larger than its window, two fingers pan and pinch.

import { act, primary, secondary } from "./intent.js";
import { pan, zoomTo } from "./viewport.js";

/** @import { Board, Held, InputTools } from "games/board/types.d.ts" */

const SLACK = 12; // CSS pixels that a finger may wander during a tap
const RING_AFTER = 110; // ms until the ring shows: a quick tap has none

/**
 * @typedef {object} Tap
 * @property {number} x
 * @property {number} y
 * @property {number} cell
 * @property {number} began
 * @property {boolean} done
 * @property {boolean} moved
 * @property {Held | null} held
 */

/** @param {Board} board @param {InputTools} tools */
export function startTouch(board, { listen, local, cellOf, interactive }) {
  /** @type {Map<number, { x: number, y: number }>} */
  const fingers = new Map();
  /** @type {Tap | null} */
  let tap = null;
  /** @type {{ far: number, cell: number, x: number, y: number } | null} */
  let pinch = null;
  let ticking = 0;

  const longPress = () => board.prefs.long_press_ms ?? 350;
  /** @param {number} ms */
  const buzz = (ms) => board.prefs.haptics !== false && navigator.vibrate?.(ms);

  function endTap() {
    tap = null;
    cancelAnimationFrame(ticking);
    board.set({ press: null, pressed: [] });
  }

  function tick() {
    if (!tap || tap.done) return;
    const age = performance.now() - tap.began;
    if (age >= longPress()) {
      const { cell } = tap;
      tap.done = true;
      board.set({ press: null, pressed: [] });
      buzz(25);
      act(board, secondary(board, cell), cell, "touch");
      return;
    }
    const progress = (age - RING_AFTER) / (longPress() - RING_AFTER);
    if (progress > 0) board.set({ press: { cell: tap.cell, progress } });
    ticking = requestAnimationFrame(tick);
  }

  /** @param {PointerEvent} event */
  function startTap(event) {
    const cell = cellOf(event);
    tap = { ...local(event), cell, began: performance.now(), held: null, done: false, moved: false };
    if (!interactive || cell < 0 || !board.state.enabled) {
      tap.done = true;
      return;
    }
    tap.held = board.grab?.(cell) ?? null;
    if (tap.held) return;
    board.set({ pressed: [cell] });
    tick();
  }

  function startPinch() {
    if (tap?.held) tap.held.cancel();
    endTap();
    const [a, b] = [...fingers.values()];
    pinch = {
      far: Math.hypot(a.x - b.x, a.y - b.y),
      cell: board.state.viewport.cell,
      x: (a.x + b.x) / 2,
      y: (a.y + b.y) / 2,
    };
  }

  function movePinch() {
    if (!pinch) return;
    const [a, b] = [...fingers.values()];
    const { ratio } = board.state.viewport;
    const [x, y] = [(a.x + b.x) / 2, (a.y + b.y) / 2];
    pan(board.state.viewport, (x - pinch.x) * ratio, (y - pinch.y) * ratio);
    const far = Math.hypot(a.x - b.x, a.y - b.y);
    if (!board.whole) zoomTo(board.state.viewport, pinch.cell * (far / pinch.far), x * ratio, y * ratio);
    Object.assign(pinch, { x, y });
    board.redraw();
  }

  /** @param {PointerEvent} event */
  function moveTap(event) {
    if (!tap) return;
    const { x, y } = local(event);
    if (tap.held) return tap.held.move(cellOf(event));
    if (!tap.moved && Math.hypot(x - tap.x, y - tap.y) <= SLACK) return;
    if (!tap.moved) {
      cancelAnimationFrame(ticking);
      board.set({ press: null, pressed: [] });
      tap.moved = tap.done = true;
    }
    const { ratio } = board.state.viewport;
    pan(board.state.viewport, (x - tap.x) * ratio, (y - tap.y) * ratio);
    Object.assign(tap, { x, y });
    board.redraw();
  }

  listen("pointerdown", (event) => {
    if (event.pointerType !== "touch") return;
    fingers.set(event.pointerId, local(event));
    /** @type {Element} */ (event.target).setPointerCapture?.(event.pointerId);
    board.set({ cursorShown: false, hover: -1 });
    if (fingers.size === 1) startTap(event);
    else if (fingers.size === 2) startPinch();
  });
  listen("pointermove", (event) => {
    if (!fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, local(event));
    if (pinch && fingers.size === 2) movePinch();
    else if (tap && fingers.size === 1) moveTap(event);
  });
  /** @param {PointerEvent} event */
  const lift = (event) => {
    if (!fingers.delete(event.pointerId)) return;
    if (fingers.size < 2) pinch = null;
    if (!tap || fingers.size) return;
    const { cell, done, held } = tap;
    endTap();
    if (event.type === "pointercancel") return held?.cancel();
    if (held) return held.drop(cellOf(event));
    if (done) return;
    buzz(8);
    act(board, primary(board, cell), cell, "touch");
  };
  listen("pointerup", lift);
  listen("pointercancel", lift);
}
