// The mode's part of a view, and what is told at the end (rules/rules.py).

import type { Ship } from "games/board/types.d.ts";

export interface Sea {
  /** Per cell, as fold.js counts. */
  tried: number[];
  sunk: Ship[];
}

export interface Game {
  turn: number | null;
  /** While it is somebody's turn. */
  turn_ends: number;
  /** How many turns in a row each seat let run out. */
  lapses: number[];
  /** One's own. */
  fleet: Ship[] | null;
  seas: Sea[];
}

export interface Truth {
  fleets: (Ship[] | null)[];
}
