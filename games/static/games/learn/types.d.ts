// What a lesson is made of (lesson.js).

import type { Act, Coming, Picture, Pin, Ship, WaveKind } from "../board/types.d.ts";
import type { FoldGame } from "../match/types.d.ts";

/** The part of a view that lessons need. */
export interface LessonView<Game = any> {
  you: number | null;
  truth: null;
  phase?: string;
  options?: Record<string, any>;
  game: Game;
}

/** What a step can see and do. */
export interface Here<Game = any> {
  readonly view: LessonView<Game>;
  fold(event: { type: string; [field: string]: any }): void;
  say(text: string, good?: boolean): void;
  /** Nothing can be done for so many ms; then `run`, or "Go on." */
  wait(ms: number, run?: () => void): void;
}

export interface Step<Game = any> {
  text: string;
  begin?(here: Here<Game>): void;
  frames?(here: Here<Game>): number[];
  shaded?(here: Here<Game>): number[];
  pins?(here: Here<Game>): Pin[];
  /** Folds what happens into the view, and may answer with words. */
  act(action: Act, here: Here<Game>): string | void;
  /** Whether the step is over. */
  done(here: Here<Game>): boolean;
}

export interface Lesson<Game = any> {
  view: LessonView<Game>;
  /** The mode's fold. */
  fold: FoldGame<Game>;
  draw(view: any): { drawn: Picture; ships?: Ship[] };
  wave?: WaveKind;
  /** What is said after the last step. */
  end: string;
  steps: Step<Game>[];
}

/** What a lesson needs of a board. */
export interface LessonBoard {
  on(type: "act", run: (action: Act) => void): void;
  show(drawn: Picture, how?: Coming): void;
  showShips?(ships: Ship[]): void;
  mark(marks: { frames: { cell: number; seat: number }[]; shaded: number[]; pins: Pin[] }): void;
  enable(enabled: boolean): void;
}

export type CreateLessonBoard = (
  element: HTMLElement,
  options: { prefs: Record<string, any>; label: string },
) => LessonBoard;
