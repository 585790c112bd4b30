// A focusable grid for screen readers over the map. Only the tiles around the cursor have elements. It also
// receives the pointer events.

import { h, setText } from "site/dom.js";

const LATER = 1000; // ms
let boards = 0;

/**
 * @param {any} board
 * @param {{ label: string }} options
 */
export function createAria(board, { label }) {
  const grid = h("div.board-surface", { tabIndex: 0, role: "grid", "aria-label": label });
  const id = `war-${++boards}`;
  board.element.append(grid);
  let isAsked = false;
  let later = 0;
  let shown = -1; // the cursor position that the tiles were built around
  /** @type {Map<number, HTMLElement>} */
  const made = new Map();

  /** The tiles around the cursor, in their rows. */
  function place() {
    const { topo, cursor } = board.state;
    const side = 2 * topo.radius + 1;
    grid.setAttribute("aria-rowcount", String(side));
    grid.setAttribute("aria-colcount", String(side));
    const shift = topo.hexagonal ? topo.radius + 1 : 1;
    const cells = [cursor, ...topo.neighbours[cursor]].sort((a, b) => a - b);
    /** @type {Map<number, HTMLElement>} */
    const rows = new Map();
    made.clear();
    for (const cell of cells) {
      const y = topo.ys[cell] + shift;
      if (!rows.has(y)) rows.set(y, h("div", { role: "row", "aria-rowindex": y }));
      const properties = { id: `${id}-${cell}`, role: "gridcell", "aria-colindex": topo.xs[cell] + shift };
      const element = h("div", properties);
      made.set(cell, element);
      rows.get(y)?.append(element);
    }
    grid.replaceChildren(...rows.values());
    grid.setAttribute("aria-activedescendant", `${id}-${cursor}`);
    shown = cursor;
  }

  function build() {
    clearTimeout(later);
    isAsked = false;
    later = 0;
    if (shown !== board.state.cursor) place();
    for (const [cell, element] of made) setText(element, board.describe(cell));
  }

  return {
    element: grid,
    /** Update right away while the keyboard cursor is shown, else with a delay. @param {boolean} all another map */
    update(all = false) {
      if (all) shown = -1;
      if (isAsked) return;
      if (!all && !board.state.cursorShown) return void (later ||= setTimeout(build, LATER));
      isAsked = true;
      queueMicrotask(build);
    },
  };
}
