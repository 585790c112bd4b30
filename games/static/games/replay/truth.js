// The truth at a moment: where the mines lay then.

import { disclose } from "../board/minefield.js";

/** The mines as they lay at this time; `laid` is [[time, cells], ...]. */
export function minesAt(laid, time) {
  let found = laid[0]?.[1] ?? [];
  for (const [from, cells] of laid) if (from <= time) found = cells;
  return found;
}

export const withMines = (drawn, laid, time) => disclose(drawn, minesAt(laid, time));
