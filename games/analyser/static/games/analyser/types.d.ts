// Types shared by the modules of the analyser. docs/analyser.md describes the answer.

/** A position on the page; `cells` as in fold/moves.js. */
export interface Position {
  width: number;
  height: number;
  mines: number;
  cells: number[];
}

export interface Conflict {
  kind: string;
  numbers: number[];
  found: number | null;
  text: string;
}

/** The verdict on a cell, with the numbers that prove it. */
export interface Proof {
  cell: number;
  kind: "safe" | "mine" | "guess" | "undecided";
  chance: number;
  numbers: number[];
  mine_count: boolean;
}

/** The site's answer about a position. */
export interface Answer extends Position {
  position: string;
  status: "open" | "cleared" | "contradiction";
  conflict: Conflict | null;
  chances: (number | null)[] | null;
  exact: boolean;
  safe: number[];
  proven_mines: number[];
  arrangements: { log10: number; count: number | null } | null;
  best: Proof | null;
  win: number | null;
  wins: [number, number][];
  flags: { wrong: number[]; unproven: number[] } | null;
  why: Proof | null;
}

export interface AnalyserPage {
  position: string;
  most_cells: number;
  preferences: Record<string, any> | null;
  urls: { analyse: string; page: string };
}

/** What a press on the board does: "inspect", or the code that it paints. */
export type Brush = "inspect" | number;
