// The truth at a moment: where the mines lay then.

import { disclose } from "../board/minefield.js";

/** @import { Picture } from "games/board/types.d.ts" */
/** @import { Laid } from "games/replay/types.d.ts" */

/**
 * The mines as they lay at this time; `laid` is [[time, cells], ...].
 * @param {Laid} laid
 * @param {number} time
 */
export function minesAt(laid, time) {
  let found = laid[0]?.[1] ?? [];
  for (const [from, cells] of laid) if (from <= time) found = cells;
  return found;
}

/** @param {Picture} drawn @param {Laid} laid @param {number} time */
export const withMines = (drawn, laid, time) => disclose(drawn, minesAt(laid, time));
