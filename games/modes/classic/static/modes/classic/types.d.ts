// The mode's part of a view, and what is told at the end (rules.py).

export interface Game {
  width: number;
  height: number;
  mines: number;
  /** Per cell, as games/fold/moves.js counts. */
  cells: number[];
  /** Where the board begins, if it says so. */
  start: number | null;
  started: number | null;
  ended: number | null;
  hints: number;
}

export interface Truth {
  mines: number[];
  won: boolean;
  aided: boolean;
  time_ms: number;
  bbbv: number;
  bbbv_done: number;
  clicks: number;
  efficiency: number;
}

/** An answer to a player who asked for a hint. */
export interface Hint {
  kind: "safe" | "mine" | "guess";
  cell: number;
  chance: number;
  /** It follows from the rules, not from numbers. */
  rule: boolean;
  /** The cells whose numbers prove it. */
  numbers: number[];
  mine_count: boolean;
}
