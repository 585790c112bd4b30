// Keys of the match page, wherever the focus is: tools, and navigation on the map.

import { announce } from "site/announce.js";
import { t } from "site/i18n.js";
import { keyOf } from "games/keys.js";

import { TOOLS } from "./tools.js";

/**
 * @param {{ page: any, board: import("./board.js").WarBoard, orders: ReturnType<typeof import("./orders.js").createOrders>,
 *   topo: import("./topology.js").Topology, legal: import("./legal.js").Legal, go: (cell: number) => void,
 *   bindings: import("games/keys.js").Bindings, help: () => void,
 *   alert: () => number, toggleRegions: () => void, money: () => void, showForeign: (on: boolean) => void }} parts
 */
export function startKeys(parts) {
  const { page, board, orders, topo, legal, go, bindings, help, alert, toggleRegions, money, showForeign } = parts;
  const { session } = page;
  const game = () => session.view.game;
  const here = () => (board.state.cursorShown ? board.state.cursor : board.state.hover);

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

  function nextCity() {
    const cities = legal
      .ownCities()
      .map((city) => game().cities[city])
      .sort((a, b) => a - b);
    const cell = cities.find((one) => one > board.state.cursor) ?? cities[0];
    if (cell !== undefined) (go(cell), announce(board.describe(cell)));
  }

  /** @type {Record<string, (event: KeyboardEvent) => void>} */
  const RUN = {
    ...Object.fromEntries(TOOLS.map((tool) => [tool.name, () => orders.arm(tool)])),
    flag: () => orders.flag(here()),
    ping: () => orders.ping(here()),
    regions: () => toggleRegions(),
    alert: () => (alert() >= 0 ? go(alert()) : announce(t("No alerts so far."))),
    city: nextCity,
    queue: () => orders.dropQueue(),
    frontier: (event) => next(frontier(), event.shiftKey),
    siege: () =>
      next(
        game().sieges.flatMap((/** @type {any} */ siege, /** @type {number} */ i) => (siege ? [game().cities[i]] : [])),
      ),
    money: () => money(),
    foreign: (event) => event.repeat || showForeign(true),
  };
  /** @type {Record<string, (event: KeyboardEvent) => void>} */
  const FIXED = {
    Escape: () => (orders.chosen.length ? orders.drop() : orders.arm(TOOLS[0])),
    Enter: () => orders.fire(),
  };

  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = event.target instanceof Element ? event.target : null;
    if (target?.closest("input, select, textarea, dialog, [role=dialog], [role=menu]")) return;
    if (event.key === "?") return help();
    if (!session.view || session.view.phase !== "live" || session.seat === null) return;
    if ((event.key === "Enter" || event.key === " ") && target?.closest("button, a")) return;
    // After a click on the map, Tab goes from city to city. A player who reached the map with Tab also leaves
    // it with Tab.
    const roams = event.key === "Tab" && !event.shiftKey && !board.state.cursorShown && board.element.contains(target);
    const run = roams ? nextCity : (FIXED[event.key] ?? RUN[bindings.action(keyOf(event)) ?? ""]);
    if (!run) return;
    run(event);
    event.preventDefault();
  });
  document.addEventListener("keyup", (event) => bindings.action(keyOf(event)) === "foreign" && showForeign(false));
  addEventListener("blur", () => showForeign(false));
}
