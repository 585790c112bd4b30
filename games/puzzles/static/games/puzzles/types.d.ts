// What the server tells of puzzles (docs/puzzles.md).

export interface Puzzle {
  id: number;
  question: "safe" | "guess";
  width: number;
  height: number;
  /** A character per cell: a number, `.` hidden, `?` open without its number, `x` a known mine. */
  cells: string;
  mines: number | null;
  rating: number;
}

export interface Answer {
  id: number;
  cell: number;
  correct: boolean;
  solution: number[];
  mines: number[];
  themes: string[];
  rating: number;
  rated?: boolean;
  again?: boolean;
  streak?: number;
  you?: { before: number; after: number } | null;
  proof?: { cell: number; numbers: number[]; mine_count: boolean };
  arrangements?: number;
  chances?: Record<string, { mines: number; wins: number }>;
}

export interface StormState {
  id: string;
  ms_left: number;
  score: number;
  wrong: number;
  puzzle: Puzzle | null;
  correct?: boolean;
}

export interface PageData {
  csrf: string;
  kind: "training" | "daily" | "one";
  registered: boolean;
  preferences: Record<string, any> | null;
  theme: string;
  themes: Record<string, string>;
  puzzle: Puzzle | null;
  answer: Answer | null;
  vote: number;
  urls: { next: string; one: string; storm: string; start: string };
}

/** An error of the server. */
export interface Refusal {
  code: string;
  text: string;
}
