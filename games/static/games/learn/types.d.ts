// The parts of a lesson (lesson.js).

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

/** The interface of a lesson's steps. */
export interface Here<Game = any> {
  readonly view: LessonView<Game>;
  fold(event: { type: string; [field: string]: any }): void;
  say(text: string, good?: boolean): void;
  /** Lock the board for this many ms; then `run`, or say "Carry on." */
  wait(ms: number, run?: () => void): void;
}

export interface Step<Game = any> {
  text: string;
  begin?(here: Here<Game>): void;
  frames?(here: Here<Game>): number[];
  shaded?(here: Here<Game>): number[];
  pins?(here: Here<Game>): Pin[];
  /** Folds the result into the view, and may return a text to show. */
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
  /** The text after the last step. */
  end: string;
  steps: Step<Game>[];
}

/** The interface that a lesson needs from a board. */
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
