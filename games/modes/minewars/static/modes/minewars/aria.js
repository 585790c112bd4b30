// A grid for screen readers over the map: focusable, with just the tiles around the cursor made. It also takes
// the pointer's events.

import { h } from "site/dom.js";

let boards = 0;

/**
 * @param {any} board
 * @param {{ label: string }} options
 */
export function createAria(board, { label }) {
  const grid = h("div.board-surface", { tabIndex: 0, role: "grid", "aria-label": label });
  const id = `war-${++boards}`;
  board.element.append(grid);
  let asked = false;

  function build() {
    asked = false;
    const { topo, cursor } = board.state;
    const side = 2 * topo.radius + 1;
    grid.setAttribute("aria-rowcount", String(side));
    grid.setAttribute("aria-colcount", String(side));
    const shift = topo.hexagonal ? topo.radius + 1 : 1;
    const cells = [cursor, ...topo.neighbours[cursor]].sort((a, b) => a - b);
    /** @type {Map<number, HTMLElement>} */
    const rows = new Map();
    for (const cell of cells) {
      const y = topo.ys[cell] + shift;
      if (!rows.has(y)) rows.set(y, h("div", { role: "row", "aria-rowindex": y }));
      const properties = { id: `${id}-${cell}`, role: "gridcell", "aria-colindex": topo.xs[cell] + shift };
      rows.get(y)?.append(h("div", properties, board.describe(cell)));
    }
    grid.replaceChildren(...rows.values());
    grid.setAttribute("aria-activedescendant", `${id}-${cursor}`);
  }

  return {
    element: grid,
    /** Only when somebody is on the grid with the keyboard; else when they come. */
    update() {
      if (asked) return;
      asked = true;
      queueMicrotask(build);
    },
  };
}
