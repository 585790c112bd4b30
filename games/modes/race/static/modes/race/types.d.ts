// The mode's part of a view, and the truth shown after the match (rules.py).

export interface Runner {
  percent: number;
  strikes: number;
  locked_until: number;
  finished: number | null;
}

export interface Game {
  width: number;
  height: number;
  mines: number;
  /** Once the race has begun. */
  began: number;
  ends: number;
  /** A code per cell (games/fold/moves.js); a spectator gets none. */
  cells: number[];
  players: Runner[];
}

export interface Truth {
  mines: number[];
  start: number;
  bbbv: number;
  players: { opened: number; struck: number[]; clicks: number; time_ms: number | null }[];
}
