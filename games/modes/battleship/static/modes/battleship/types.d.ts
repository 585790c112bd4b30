// The mode's part of a view, and the truth shown after the match (rules/rules.py).

import type { Ship } from "games/board/types.d.ts";

export interface Sea {
  /** A code per cell (fold.js). */
  tried: number[];
  sunk: Ship[];
}

export interface Game {
  turn: number | null;
  /** When the current turn ends. */
  turn_ends: number;
  /** How many turns in a row each seat has missed. */
  lapses: number[];
  /** The viewer's own ships. */
  fleet: Ship[] | null;
  seas: Sea[];
}

export interface Truth {
  fleets: (Ship[] | null)[];
}
