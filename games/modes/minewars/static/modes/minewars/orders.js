// Turns presses on the map into orders: the armed tool, tiles picked one by one, captures queued during the
// cooldown. The client immediately refuses an order that the server would refuse.

import { t, n } from "site/i18n.js";

import { digitOf, isClusterKind, isFlagged, ROAD, pendingOf, structureOf } from "./codes.js";
import { amount, cityName, REASONS, tooExpensive } from "./words.js";
import { TOOLS } from "./tools.js";

/** @typedef {import("./tools.js").Tool} Tool */
/** @typedef {import("./legal.js").Action} Action */

const QUEUE = 8;
const TRIES = 4;
const AGAIN = 60; // ms before retrying an order that was too early
const REPEAT = 2500; // ms in which the same refusal is not repeated
const LOST = 3000; // ms after which an unanswered order is no longer shown
const ONCE = new Set(["strike", "smoke", "reveal", "road", "tower", "barricade", "bridge", "harvest", "clear", "flag"]);
/** Tools whose legal targets glow. */
const GLOWS = new Set([
  "mine",
  "decoy",
  "flashbang",
  "smoke",
  "road",
  "tower",
  "barricade",
  "bridge",
  "harvest",
  "clear",
]);

/** @param {Tool} tool */
const isStructure = ({ type, many }) => type === "build" && !many;

/**
 * @param {{ page: any, board: import("./board.js").WarBoard, legal: import("./legal.js").Legal,
 *   topo: import("./topology.js").Topology, tools: () => ReturnType<typeof import("./tools.js").createTools> }} parts
 */
export function createOrders({ page, board, legal, topo, tools }) {
  const { session, prefs, notices, sound } = page;
  const game = () => session.view.game;
  const tile = (/** @type {number} */ cell) => game().tiles[cell];
  /** @type {number[]} */
  let chosen = [];
  let start = -1; // the first tile of a road
  /** @type {{ cell: number, digits: string }[]} */
  let queue = [];
  /** @type {Map<number, number>} */
  const sent = new Map();
  let ready = 0; // when the next capture is possible, until the server says so
  let pumping = 0;
  /** Timers of orders that wait for their cooldown, by type. @type {Map<string, number>} */
  const early = new Map();
  /** How often the server refused an order as too early. @type {WeakMap<Action, number>} */
  const tries = new WeakMap();
  let glowing = "";
  let refused = { text: "", at: 0 };

  // -- display -----------------------------------------------------------------------------------

  function show() {
    const now = performance.now();
    for (const [cell, at] of sent) if (now > at + LOST) sent.delete(cell);
    const { armed } = tools();
    const isPeaceful = armed.type === "build";
    board.mark({ chosen, isPeaceful, sent: [...sent.keys()], queued: queue.map(({ cell }) => cell) });
    if (!chosen.length || !(armed.many || isStructure(armed))) return tools().showOrder(null);
    const action = armed.action(chosen);
    const code = legal.check(action, session.time());
    const price = amount(legal.priceOf(action, session.time()));
    const note = n("{n} tile: {price}", "{n} tiles: {price}", chosen.length, { price });
    tools().showOrder({
      note: code && code !== "cooling_down" ? why(code, action) : [note, ...links(armed)].join(" · "),
      go: armed.name === "strike" ? t("Fire") : t("Build"),
      allowed: !code || code === "cooling_down",
    });
  }

  /** Describes the cities that the planned road would connect. @param {Tool} tool */
  function links({ name }) {
    if (name !== "road") return [];
    return legal.newLinks(chosen).map(([a, b]) => {
      const [first, second] = [a, b].map((city) => cityName(game(), city));
      return t("links {first} and {second}", { first, second });
    });
  }

  /** Tiles where the armed tool can be used. */
  function glow() {
    const { armed } = tools();
    if (!GLOWS.has(armed.name) || !session.playing) {
      if (glowing) board.mark({ targets: [] });
      glowing = "";
      return;
    }
    glowing = armed.name;
    const targets = [];
    for (let cell = 0; cell < topo.size; cell++) if (!legal.possible(actionOf(armed, [cell]))) targets.push(cell);
    board.mark({ targets });
  }

  /** Explains a refusal; null when only the server can. @param {string} code @param {Action} action */
  function explain(code, action) {
    if (code === "too_expensive") {
      const purse = legal.purse(legal.payingTile(action), session.time());
      return tooExpensive(game(), legal.cost(action, session.time()), purse);
    }
    return /** @type {Record<string, string>} */ (REASONS)[code] ?? null;
  }

  /** @param {string} code @param {Action} action */
  const why = (code, action) => explain(code, action) ?? code;

  /** @param {string} code @param {Action} action */
  function refuse(code, action) {
    const cell = action.cell ?? action.cells?.[0] ?? -1;
    board.effect("refuse", cell, { duration: 350 });
    sound.play("refuse");
    // Don't repeat the same notice to a player who keeps clicking.
    const [text, now] = [why(code, action), performance.now()];
    if (text !== refused.text || now > refused.at + REPEAT) notices.say(text, { kind: "warn" });
    refused = { text, at: now };
  }

  // -- giving orders -----------------------------------------------------------------------------------

  /** @param {Tool} tool @param {number[]} cells @returns {Action} */
  function actionOf(tool, cells) {
    const [cell] = cells;
    if (tool.name === "clear") return { type: legal.ownJob(cell) ? "cancel" : "bulldoze", cell };
    if (tool.name === "flag") return { type: "flag", cell, on: !isFlagged(tile(cell)) };
    return tool.action(cells);
  }

  /**
   * Give the order after `ms`; it replaces a waiting order of the same type.
   * @param {Action} action
   * @param {number} ms
   */
  function wait(action, ms) {
    clearTimeout(early.get(action.type));
    early.set(
      action.type,
      setTimeout(() => give(action), ms),
    );
  }

  /** @param {Action} action @returns {boolean} */
  function give(action) {
    const code = legal.check(action, session.time());
    if (code === "cooling_down") {
      // A press during the cooldown waits until it ends.
      wait(action, game().ready[action.type] - session.time() + 10);
      return true;
    }
    if (code) {
      refuse(code, action);
      return false;
    }
    if (!session.act(action)) return false;
    if (action.type !== "flag") {
      for (const cell of action.cells ?? [action.cell ?? -1]) sent.set(cell, performance.now());
      setTimeout(show, LOST + 50);
    } else sound.play(action.on ? "flag" : "unflag");
    show();
    return true;
  }

  /** The digits beside a tile, on which the player based a queued capture. @param {number} cell */
  const digitsBeside = (cell) => topo.neighbours[cell].map((one) => (legal.mine(one) ? digitOf(tile(one)) : "")).join();

  /** @param {number} cell */
  function capture(cell) {
    const code = legal.check({ type: "capture", cell }, session.time());
    if (code && code !== "cooling_down") return refuse(code, { type: "capture", cell });
    if (isFlagged(tile(cell))) return refuse("flagged_here", { type: "capture", cell });
    if (queue.some((one) => one.cell === cell) || queue.length >= QUEUE) return;
    queue.push({ cell, digits: digitsBeside(cell) });
    pump();
  }

  function pump() {
    clearTimeout(pumping);
    const time = session.time();
    const wait = Math.max(ready, game().ready.capture ?? 0) - time;
    if (queue.length && wait <= 0) {
      const { cell, digits } = /** @type {{ cell: number, digits: string }} */ (queue.shift());
      const known = topo.neighbours[cell].every((one, i) => {
        const before = digits.split(",")[i];
        return before === "" || before === String(digitOf(tile(one)));
      });
      if (known && !legal.possible({ type: "capture", cell }) && session.act({ type: "capture", cell })) {
        sent.set(cell, performance.now());
        ready = time + legal.numbers().capture_cooldown;
      }
    }
    if (queue.length)
      pumping = setTimeout(pump, Math.max(5, Math.max(ready, game().ready.capture ?? 0) - session.time()));
    show();
  }

  // -- picking tiles -----------------------------------------------------------------------------------

  /**
   * The shortest path over the player's land, roads included; empty when there is none.
   * @param {number} from
   * @param {number} to
   */
  function way(from, to) {
    const isRoad = (/** @type {number} */ cell) => structureOf(tile(cell)) === ROAD || pendingOf(tile(cell)) === ROAD;
    const passes = (/** @type {number} */ cell) =>
      (legal.mine(cell) && isRoad(cell)) || !legal.possible({ type: "build", structure: "road", cells: [cell] });
    if (!passes(from)) return [];
    const before = new Map([[from, -1]]);
    for (const cell of before.keys()) {
      if (cell === to) break;
      for (const next of topo.sides[cell]) if (!before.has(next) && passes(next)) before.set(next, cell);
    }
    const found = [];
    for (let at = before.has(to) ? to : -1; at >= 0; at = before.get(at) ?? -1) if (!isRoad(at)) found.unshift(at);
    return found.slice(0, legal.numbers().build_most);
  }

  /** @param {number} cell */
  function mark(cell) {
    if (chosen.includes(cell)) chosen = chosen.filter((one) => one !== cell);
    else {
      const code = legal.possible({ type: "strike", cells: [cell] });
      if (code) return refuse(code, { type: "strike", cells: [cell] });
      if (chosen.length < legal.numbers().strike_most) chosen = [...chosen, cell];
    }
    show();
  }

  /** @param {number} cell */
  function layRoad(cell) {
    if (start < 0) {
      const code = legal.possible({ type: "build", structure: "road", cells: [cell] });
      const own = legal.mine(cell) && structureOf(tile(cell)) === ROAD;
      if (code && !own) return refuse(code, { type: "build", structure: "road", cells: [cell] });
      start = cell;
      chosen = own ? [] : [cell];
      return show();
    }
    chosen = way(start, cell);
    if (!chosen.length) refuse("bad_site", { type: "build", structure: "road", cells: [cell] });
    show();
  }

  /**
   * Require two presses on the same tile for orders that can't be undone.
   * @param {Action} action
   * @param {number} cell
   */
  function isConfirmed(action, cell) {
    const grave =
      (action.type === "harvest" && (isClusterKind(tile(cell)) || structureOf(tile(cell)))) ||
      (action.type === "bulldoze" && structureOf(tile(cell)));
    if (!grave || (chosen.length === 1 && chosen[0] === cell)) return true;
    if (legal.possible(action)) return true;
    chosen = [cell];
    notices.say(t("Press again to confirm."));
    show();
    return false;
  }

  /**
   * By touch, where the finger covers the tile, wait for a second tap or the button.
   * @param {Action} action
   * @param {number} cell
   */
  function isTicked(action, cell) {
    if (!prefs.ask_first || legal.possible(action) || (chosen.length === 1 && chosen[0] === cell)) return true;
    chosen = [cell];
    show();
    return false;
  }

  function drop() {
    chosen = [];
    start = -1;
    show();
  }

  const orders = {
    get chosen() {
      return chosen;
    },
    show,
    why: explain,
    glow,
    actionOf,
    drop,
    capture,
    give,
    /** Use a tool from the menu around a tile, whichever tool is armed. @param {Tool} tool @param {number} cell */
    pick(tool, cell) {
      if (tool.name === "capture") capture(cell);
      else give(actionOf(tool, [cell]));
    },
    /** @param {number} cell @param {{ keep: boolean, touch: boolean }} how keep: the tool stays armed */
    use(cell, { keep, touch }) {
      const tool = tools().armed;
      if (tool.name === "capture") return capture(cell);
      if (tool.name === "strike") {
        mark(cell);
        return void (touch && !prefs.ask_first && orders.fire());
      }
      if (tool.name === "road") return layRoad(cell);
      const action = actionOf(tool, [cell]);
      if (!isConfirmed(action, cell)) return;
      if (touch && isStructure(tool) && !isTicked(action, cell)) return;
      chosen = [];
      if (give(action) && ONCE.has(tool.name) && !keep) orders.arm(TOOLS[0]);
      show();
    },
    /** @param {{ phase: string, cell: number, touch?: boolean }} drag */
    drag({ phase, cell, touch }) {
      const { name } = tools().armed;
      if (name === "road") {
        if (phase === "start") [start, chosen] = [cell, way(cell, cell)];
        if (phase === "move") {
          // Off the player's land, keep the road as far as it got.
          const found = way(start, cell);
          if (found.length) chosen = found;
        }
        if (phase === "cancel") return drop();
        if (phase === "end") start = chosen[0] ?? -1;
      } else if (name === "strike" && cell >= 0 && phase !== "cancel" && phase !== "end") {
        const allowed = !legal.possible({ type: "strike", cells: [cell] });
        if (allowed && !chosen.includes(cell) && chosen.length < legal.numbers().strike_most)
          chosen = [...chosen, cell];
      }
      show();
      if (phase === "end" && touch && !prefs.ask_first) orders.fire();
    },
    /** Give the prepared order; false when there is none. */
    fire() {
      const tool = tools().armed;
      if (!(tool.many || isStructure(tool)) || !chosen.length) return false;
      if (give(tool.action(chosen))) {
        drop();
        orders.arm(TOOLS[0]);
      }
      return true;
    },
    /** @param {number} cell */
    flag(cell) {
      if (cell >= 0) give({ type: "flag", cell, on: !isFlagged(tile(cell)) });
    },
    /** Show this tile to the player's allies. @param {number} cell */
    ping(cell) {
      if (cell >= 0) give({ type: "ping", cell });
    },
    /** @param {Tool} tool */
    arm(tool) {
      tools().arm(tool);
      drop();
      board.set({ drawing: tool.name === "road" || tool.name === "strike" });
      glow();
      orders.hover(board.state.hover);
    },
    /** Show the armed tool under the pointer. @param {number} cell */
    hover(cell) {
      const tool = tools().armed;
      if (cell < 0 || !session.playing || session.view.phase !== "live") return board.mark({ ghost: null });
      const allowed = !legal.possible(actionOf(tool, [cell]));
      const quiet = tool.name === "capture" && !allowed;
      board.mark({ ghost: quiet ? null : { cell, icon: tool.name, allowed } });
    },
    /**
     * Retry an order that was too early because our clock is ahead of the server's; false: no more tries.
     * @param {Action} action
     */
    again(action) {
      const times = (tries.get(action) ?? 0) + 1;
      if (times > TRIES) return false;
      tries.set(action, times);
      wait(action, AGAIN * times);
      return true;
    },
    /** The server has accepted or refused the order on these tiles. @param {number[]} cells */
    answered(cells) {
      for (const cell of cells) sent.delete(cell);
      show();
    },
    dropQueue() {
      queue = [];
      show();
    },
  };
  return orders;
}
