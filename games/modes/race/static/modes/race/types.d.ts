// The mode's part of a view, and what is told at the end (rules.py).

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
  /** Per cell, as games/fold/moves.js counts; a spectator has none. */
  cells: number[];
  players: Runner[];
}

export interface Truth {
  mines: number[];
  start: number;
  bbbv: number;
  players: { opened: number; struck: number[]; clicks: number; time_ms: number | null }[];
}
