// A focusable grid for screen readers over the canvas. Only the cells around the cursor have elements;
// aria-rowcount and aria-colcount give the full size. It also receives the pointer events.

import { h } from "site/dom.js";

/** @import { Board } from "games/board/types.d.ts" */

const AROUND = 1;

/** @param {Board} board @param {{ label: string }} options */
export function createAria(board, { label }) {
  const grid = h("div.board-surface", { tabIndex: 0, role: "grid", "aria-label": label });
  const id = `board-${Math.random().toString(36).slice(2, 8)}`;
  board.element.append(grid);

  /** @param {number} y @param {number} x0 @param {number} x1 */
  function row(y, x0, x1) {
    const { width } = board.state.wanted;
    const cells = [];
    for (let x = x0; x <= x1; x++) {
      const cell = y * width + x;
      const properties = { id: `${id}-${cell}`, role: "gridcell", "aria-colindex": x + 1 };
      cells.push(h("div", properties, board.describe(cell)));
    }
    return h("div", { role: "row", "aria-rowindex": y + 1 }, cells);
  }

  let asked = false;
  function build() {
    asked = false;
    const { width, height } = board.state.wanted;
    grid.setAttribute("aria-rowcount", String(height));
    grid.setAttribute("aria-colcount", String(width));
    const cursor = Math.max(0, Math.min(board.state.cursor, width * height - 1));
    const [x, y] = [cursor % width, Math.floor(cursor / width)];
    const rows = [];
    for (let at = Math.max(0, y - AROUND); at <= Math.min(height - 1, y + AROUND); at++) {
      rows.push(row(at, Math.max(0, x - AROUND), Math.min(width - 1, x + AROUND)));
    }
    grid.replaceChildren(...rows);
    grid.setAttribute("aria-activedescendant", `${id}-${cursor}`);
  }

  return {
    element: grid,
    update() {
      if (asked) return;
      asked = true;
      queueMicrotask(build);
    },
  };
}
