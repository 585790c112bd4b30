// Says what each tool costs at a tile and why it can't be used: for the toolbar, which greys it out.

import { REASONS, tooExpensive } from "./words.js";

/** @typedef {import("./legal.js").Action} Action */
/** @typedef {import("./tools.js").Tool} Tool */

/**
 * @param {import("./legal.js").Legal} legal
 * @param {() => { size: number, game: Record<string, any> }} now the number of tiles, and the view
 * @param {(tool: Tool, cells: number[]) => Action} actionOf
 */
export function createUsable(legal, now, actionOf) {
  /** Where each tool could last be used: usually it still can be. @type {Map<string, number>} */
  const spots = new Map();

  /** Whether the tool has a legal target anywhere, whatever it costs. @param {Tool} tool @param {number} time */
  function hasTarget(tool, time) {
    const isTarget = (/** @type {number} */ cell) => !legal.possible(actionOf(tool, [cell]), time);
    const last = spots.get(tool.name) ?? -1;
    if (last >= 0 && isTarget(last)) return true;
    const { size } = now();
    for (let cell = 0; cell < size; cell++) {
      if (isTarget(cell)) return Boolean(spots.set(tool.name, cell));
    }
    spots.delete(tool.name);
    return false;
  }

  /** Why the tool can't be used now, or null. @param {Tool} tool @param {Action} action @param {number} time */
  function why(tool, action, time) {
    const { game } = now();
    if (game.stunned > time && !(tool.name === "flag" && legal.numbers().flag_while_stunned)) return REASONS.stunned;
    if (!hasTarget(tool, time)) return REASONS.nowhere;
    const due = legal.cost(action, time);
    const purse = legal.purse(legal.payingTile(action), time);
    return purse.group.length && due > purse.there ? tooExpensive(game, due, purse) : null;
  }

  return {
    /** The price of this order, and why the tool can't be used now. @param {Tool} tool @param {Action} action @param {number} time */
    ask: (tool, action, time) => ({ price: legal.priceOf(action, time), why: why(tool, action, time) }),
  };
}

/** @typedef {ReturnType<typeof createUsable>} Usable */
