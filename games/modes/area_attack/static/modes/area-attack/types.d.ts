// The mode's part of a view, and what is told at the end (rules/seeing.py).

export interface Game {
  stage: number;
  /** Once the match has begun; null before. */
  began: number | null;
  /** Once the match has begun. */
  ends: number;
  /** The starts that were picked, per seat. */
  picks: (number | null)[];
  areas: number[];
  /** How many mines each seat has struck. */
  struck: number[];
  frozen: ({ until: number; cell: number } | null)[];
  /** Per cell, as fold.js counts. */
  cells: number[];
}

export interface Truth {
  mines: number[];
  numbers: number[];
  owners: (number | null)[];
}
