// The whole board in small, in a corner of a board that is larger than its window: shows the visible part,
// and the play elsewhere. A press moves the board there. Only for mouse and touch; keyboards and screen
// readers use the board itself.

import { context2d, h } from "site/dom.js";

const SIZE = 150; // CSS pixels of its longer side at most
const SHARE = 0.27; // the maximum share of the window's width
const EDGE = 14; // CSS pixels of its frame, and from it to the edge of the board (board.css)

/**
 * @typedef {object} Parts
 * @property {() => { width: number, height: number }} size of the minimap, in its own pixels
 * @property {(ctx: CanvasRenderingContext2D) => void} draw all of it
 * @property {() => { x: number, y: number, width: number, height: number }} seen the part in the window, as
 *   shares of the board
 * @property {(x: number, y: number) => void} go brings this point (shares of the board) to the middle
 */

/** @param {HTMLElement} element the board's @param {Parts} parts */
export function createMinimap(element, { size, draw, seen, go }) {
  const canvas = h("canvas");
  const ctx = context2d(canvas);
  const part = h("i");
  const map = h("div.minimap", { "aria-hidden": "true", hidden: true }, canvas, part);
  let stale = true; // the picture must be redrawn
  let asked = 0;
  element.append(map);

  function show() {
    asked = 0;
    if (map.hidden) return;
    if (stale) draw(ctx);
    stale = false;
    const { x, y, width, height } = seen();
    const percent = (/** @type {number} */ share) => `${Math.max(0, Math.min(1, share)) * 100}%`;
    Object.assign(part.style, {
      left: percent(x),
      top: percent(y),
      right: percent(1 - x - width),
      bottom: percent(1 - y - height),
    });
  }

  function ask() {
    if (!asked && !map.hidden) asked = requestAnimationFrame(show);
  }

  /** @param {PointerEvent} event */
  function press(event) {
    const box = canvas.getBoundingClientRect();
    go((event.clientX - box.x) / box.width, (event.clientY - box.y) / box.height);
  }

  map.addEventListener("pointerdown", (event) => {
    event.preventDefault(); // the board keeps the focus
    map.setPointerCapture(event.pointerId);
    press(event);
  });
  map.addEventListener("pointermove", (event) => event.buttons && press(event));

  return {
    /** The visible part changed. */
    moved: ask,
    /** The board looks different. */
    changed() {
      stale = true;
      ask();
    },
    /**
     * Show or hide it; returns how much of the board's upper edge it covers, in CSS pixels.
     * @param {boolean} wanted
     * @param {number} across the width of the board's window, in CSS pixels
     */
    toggle(wanted, across) {
      map.hidden = !wanted;
      if (!wanted) return 0;
      const { width, height } = size();
      const step = Math.min(SIZE, across * SHARE) / Math.max(width, height);
      const [wide, high] = [Math.round(width * step), Math.round(height * step)];
      if (canvas.width !== width || canvas.height !== height || canvas.style.width !== `${wide}px`) {
        Object.assign(canvas, { width, height });
        Object.assign(canvas.style, { width: `${wide}px`, height: `${high}px` });
        stale = true;
      }
      ask();
      return high + EDGE;
    },
    destroy() {
      cancelAnimationFrame(asked);
      map.remove();
    },
  };
}
