// The mode's part of a view, and the truth shown after the match (rules/seeing.py).

export interface Game {
  stage: number;
  /** Once the match has begun; null before. */
  began: number | null;
  /** Once the match has begun. */
  ends: number;
  /** The start that each seat picked. */
  picks: (number | null)[];
  areas: number[];
  /** How many mines each seat has struck. */
  struck: number[];
  frozen: ({ until: number; cell: number } | null)[];
  /** A code per cell (fold.js). */
  cells: number[];
}

export interface Truth {
  mines: number[];
  numbers: number[];
  owners: (number | null)[];
}
