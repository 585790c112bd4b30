// The mode's part of a view, and the truth shown after the match (rules.py).

export interface Game {
  width: number;
  height: number;
  mines: number;
  /** A code per cell (games/fold/moves.js). */
  cells: number[];
  /** The cell to start at, if the board has one. */
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

/** The answer to a player's request for a hint. */
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
