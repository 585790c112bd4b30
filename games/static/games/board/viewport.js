// The visible part of the board, and its scale. Lengths are device pixels; a cell is always a whole number of
// them, so that lines stay crisp at every zoom.

/** @import { Viewport } from "games/board/types.d.ts" */

const LARGEST = 64; // CSS pixels of a cell
const SMALLEST_TOUCH = 24; // the smallest cell that a finger can hit, in CSS pixels
const COMFORTABLE = 32; // a cell that a finger hits easily

/** @returns {Viewport} */
export function createViewport() {
  return {
    width: 1,
    height: 1,
    ratio: 1,
    columns: 1,
    rows: 1,
    cell: 1,
    x: 0,
    y: 0,
    touched: false,
    margin: 0,
    head: 0,
  };
}

/** @param {Viewport} v */
export function fitCell(v) {
  const around = 2 * v.margin;
  const fit = Math.floor(Math.min(v.width / (v.columns + around), v.height / (v.rows + around)));
  return Math.max(2, Math.min(fit, Math.round(LARGEST * 0.86 * v.ratio)));
}

/** @param {Viewport} v */
const smallest = (v) => fitCell(v);
/** @param {Viewport} v */
const largest = (v) => Math.max(Math.round(LARGEST * v.ratio), fitCell(v));

/**
 * Whether all of the board is visible.
 * @param {Viewport} v
 */
export const isWhole = (v) => v.columns * v.cell <= v.width && v.rows * v.cell <= v.height;

/**
 * Whether the whole board would be too small to play on comfortably with a finger.
 * @param {Viewport} v
 */
export const isCrowded = (v) => fitCell(v) < COMFORTABLE * v.ratio;

/** @param {Viewport} v */
export function clamp(v) {
  // When only a part is visible, let the viewer drag cells out from under the minimap at the upper edge.
  const head = isWhole(v) ? 0 : v.head;
  /** @param {number} at @param {number} size @param {number} content @param {number} from */
  const place = (at, size, content, from) =>
    content + from <= size
      ? Math.max(from, Math.round((size - content) / 2))
      : Math.max(size - content, Math.min(from, Math.round(at)));
  v.x = place(v.x, v.width, v.columns * v.cell, 0);
  v.y = place(v.y, v.height, v.rows * v.cell, head);
}

/**
 * The whole board; on a touch screen with cells too small to hit, a part of it.
 * @param {Viewport} v
 * @param {{ touch?: boolean }} [options]
 */
export function fit(v, { touch = false } = {}) {
  v.cell = fitCell(v);
  if (touch && v.cell < SMALLEST_TOUCH * v.ratio) v.cell = Math.round(COMFORTABLE * v.ratio);
  v.x = (v.width - v.columns * v.cell) / 2;
  v.y = (v.height - v.rows * v.cell) / 2;
  v.touched = false;
  clamp(v);
}

/**
 * @param {Viewport} v
 * @param {number} width
 * @param {number} height
 * @param {number} ratio
 * @param {{ touch?: boolean }} options
 */
export function resize(v, width, height, ratio, options) {
  const centre = [(v.width / 2 - v.x) / v.cell, (v.height / 2 - v.y) / v.cell];
  const zoomed = v.touched ? (v.cell / v.ratio) * ratio : 0;
  Object.assign(v, { width, height, ratio });
  if (!zoomed) return fit(v, options);
  v.cell = Math.max(smallest(v), Math.min(largest(v), Math.round(zoomed)));
  v.x = width / 2 - centre[0] * v.cell;
  v.y = height / 2 - centre[1] * v.cell;
  clamp(v);
}

/**
 * Make a cell `size` pixels wide while the board's point under (x, y) stays there.
 * @param {Viewport} v
 * @param {number} size
 * @param {number} x
 * @param {number} y
 */
export function zoomTo(v, size, x, y) {
  const cell = Math.max(smallest(v), Math.min(largest(v), Math.round(size)));
  v.x = x - ((x - v.x) / v.cell) * cell;
  v.y = y - ((y - v.y) / v.cell) * cell;
  v.cell = cell;
  v.touched = cell !== smallest(v);
  clamp(v);
}

/** @param {Viewport} v @param {number} dx @param {number} dy */
export function pan(v, dx, dy) {
  v.x += dx;
  v.y += dy;
  v.touched = true;
  clamp(v);
}

/** @param {Viewport} v @param {number} cell */
export function centre(v, cell) {
  v.x = v.width / 2 - ((cell % v.columns) + 0.5) * v.cell;
  v.y = v.height / 2 - (Math.floor(cell / v.columns) + 0.5) * v.cell;
  clamp(v);
  // Keep this part when the window changes its size.
  v.touched = !isWhole(v);
}

/**
 * Scroll just far enough to show the cell, with a margin of one cell.
 * @param {Viewport} v
 * @param {number} cell
 */
export function reveal(v, cell) {
  const [x, y] = [cell % v.columns, Math.floor(cell / v.columns)];
  /** @param {number} at @param {number} size @param {number} n */
  const into = (at, size, n) => {
    if (at + (n - 1) * v.cell < 0) return at - (at + (n - 1) * v.cell);
    if (at + (n + 2) * v.cell > size) return at - (at + (n + 2) * v.cell - size);
    return at;
  };
  v.x = into(v.x, v.width, x);
  v.y = into(v.y, v.height, y);
  clamp(v);
}

/** @param {Viewport} v @param {number} x @param {number} y */
export function cellAt(v, x, y) {
  const [column, row] = [Math.floor((x - v.x) / v.cell), Math.floor((y - v.y) / v.cell)];
  if (column < 0 || row < 0 || column >= v.columns || row >= v.rows) return -1;
  return row * v.columns + column;
}

/** @param {Viewport} v */
export function visible(v) {
  return {
    left: Math.max(0, Math.floor(-v.x / v.cell)),
    top: Math.max(0, Math.floor(-v.y / v.cell)),
    right: Math.min(v.columns, Math.ceil((v.width - v.x) / v.cell)),
    bottom: Math.min(v.rows, Math.ceil((v.height - v.y) / v.cell)),
  };
}
