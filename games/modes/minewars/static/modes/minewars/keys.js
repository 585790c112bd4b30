// Keys of the match page, wherever the focus is: tools, and ways to get about on the map.

import { announce } from "site/announce.js";
import { t } from "site/i18n.js";

import { openHelp } from "./help.js";
import { TOOLS } from "./tools.js";

/**
 * @param {{ page: any, board: import("./board.js").WarBoard, orders: ReturnType<typeof import("./orders.js").createOrders>,
 *   topo: import("./topology.js").Topology, legal: import("./legal.js").Legal, go: (cell: number) => void,
 *   alert: () => number, toggleRegions: () => void, money: () => void, showForeign: (on: boolean) => void }} parts
 */
export function startKeys({ page, board, orders, topo, legal, go, alert, toggleRegions, money, showForeign }) {
  const { session } = page;
  const game = () => session.view.game;

  /** The next of these cells after the cursor. @param {number[]} cells @param {boolean} back */
  function next(cells, back = false) {
    const { cursor } = board.state;
    const found = back
      ? (cells.findLast((cell) => cell < cursor) ?? cells.at(-1))
      : (cells.find((cell) => cell > cursor) ?? cells[0]);
    if (found === undefined) return;
    board.set({ cursor: found, cursorShown: true });
    board.reveal(found);
    board.focus();
    announce(board.describe(found));
  }

  /** Tiles that can be captured now. */
  const frontier = () =>
    Array.from({ length: topo.size }, (_, cell) => cell).filter(
      (cell) => !legal.possible({ type: "capture", cell }) && !legal.mine(cell),
    );

  /** @type {Record<string, (event: KeyboardEvent) => void>} */
  const RUN = {
    Escape: () => (orders.chosen.length ? orders.drop() : orders.arm(TOOLS[0])),
    Enter: () => orders.fire(),
    f: () => orders.flag(board.state.cursorShown ? board.state.cursor : board.state.hover),
    p: () => orders.ping(board.state.cursorShown ? board.state.cursor : board.state.hover),
    v: () => toggleRegions(),
    c: () => (alert() >= 0 ? go(alert()) : announce(t("No alert so far."))),
    t() {
      const cities = legal
        .ownCities()
        .map((city) => game().cities[city])
        .sort((a, b) => a - b);
      const cell = cities.find((one) => one > board.state.cursor) ?? cities[0];
      if (cell !== undefined) (go(cell), announce(board.describe(cell)));
    },
    q: () => orders.dropQueue(),
    n: (event) => next(frontier(), event.shiftKey),
    g: () =>
      next(
        game().sieges.flatMap((/** @type {any} */ siege, /** @type {number} */ i) => (siege ? [game().cities[i]] : [])),
      ),
    m: () => money(),
    " ": (event) => event.repeat || showForeign(true),
  };
  for (const tool of TOOLS) RUN[tool.key] ??= () => orders.arm(tool);

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest("input, select, textarea, dialog, [role=dialog], [role=menu]")) return;
    if (event.key === "?") return openHelp();
    if (!session.view || session.view.phase !== "live" || session.seat === null) return;
    if ((event.key === "Enter" || event.key === " ") && target?.closest("button, a")) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const run = RUN[key];
    if (!run) return;
    run(event);
    event.preventDefault();
  });
  document.addEventListener("keyup", ({ key }) => key === " " && showForeign(false));
  addEventListener("blur", () => showForeign(false));
}
