// Types shared by the modules of the replay. docs/replay.md describes the data.

import type { Position } from "../board/position.js";
import type { AnyBoard, BoardOptions, Pin, Ship } from "../board/types.d.ts";
import type { GameEvent, Outcome, View } from "../match/types.d.ts";

/** One viewer's stream: the first view, and events with their match times. */
export interface Stream<Game = any> {
  start: View<Game>;
  events: [number, GameEvent][];
}

/** One viewer's view at any moment (track.js). */
export interface Track<Game = any> {
  /** The view after all events up to this match time. */
  seek(time: number): View<Game>;
  seekIndex(count: number): View<Game>;
  /** How many events have happened by this time. */
  countAt(time: number): number;
  /** When the nth event happened. */
  timeOf(n: number): number;
  readonly view: View<Game>;
  readonly index: number;
  readonly length: number;
  /** The last event that is in the view. */
  readonly event: GameEvent | null;
}

/** The analysis of a move. */
export interface Judgement {
  t: number;
  seat: number;
  label: string;
  chance: number;
}

/** The analysis of a player's moves. */
export interface JudgedPlayer {
  seat: number;
  moves: number;
  analysed: number;
  proven_safe: number;
  forced_guess: number;
  known_mine: number;
  avoidable_guess: number;
  mines: number;
  expected_mines: number;
  /** In percent; null without a judged move. */
  accuracy: number | null;
  given_up: number;
  survival: number;
  adjusted_score?: number | null;
}

/** A finished match as the server sends it. */
export interface ReplayData<Game = any, Truth = any> {
  match: string;
  mode: string;
  players: { name: string; kind: string }[];
  duration: number;
  streams: Record<string, Stream<Game>>;
  truth: Truth;
  seed: string;
  deal: string | null;
}

/** The analysis of a finished match's moves. Only `ready` has more than a status. */
export interface Analysis {
  status: "ready" | "waiting" | "none";
  marks: Judgement[];
  players: JudgedPlayer[];
}

/** A finished match with a track per stream. */
export interface Replay<Game = any, Truth = any> extends ReplayData<Game, Truth> {
  tracks: Record<string, Track<Game>>;
}

export interface Drawn {
  /** A picture for the pane's board; null when there is nothing to draw. */
  drawn: any;
  ships?: Ship[];
  pins?: Pin[];
  /** What the pane's viewer knows, for the analyser. */
  position?: Position;
}

/** A board of a replay. */
export interface Pane {
  title: string;
  /** Whose board it is, for the colour of its title. */
  seat?: number;
  /** The seat that looks at it. */
  you?: number | null;
  draw(time: number): Drawn;
  /** Makes a board of the mode's own kind. */
  create?(element: HTMLElement, options: BoardOptions): AnyBoard;
}

/** The tools for texts about events. */
export interface Tell {
  name(seat: number): string;
  at(cell: number): string;
  /** The view before the first event. */
  start?: any;
}

/** A figure of each player over the match (plots.js). All plots of a mode have the same lines. */
export interface Plot {
  title: string;
  /** Values jump from point to point; by default they are interpolated. */
  steps?: boolean;
  lines: { name: string; seat: number; points: [number, number][] }[];
}

export type Words = Record<string, (event: any) => string>;

/** A mode's replay.js (stage.js). */
export interface ModeReplay {
  panes(replay: Replay, view: string): Pane[];
  columns(view: View): number;
  scores(view: View, seats: (View | undefined)[]): string[];
  words(tell: Tell, replay: Replay): Words;
  framed?(event: any): number[];
  firstView?: string;
  truthStream?: string;
  nothing?(): string;
  plots?(replay: Replay): Plot[];
}

export interface ReplayPage {
  match: string;
  mode: string;
  seat: number | null;
  preferences: Record<string, any> | null;
  urls: { data: string; analysis: string; log: string; analyser: string };
  /** The reasons why matches of the mode end, in a few words. */
  reasons: Record<string, string>;
}

export type TellReason = (outcome: Outcome) => string;

/** Where mines lay: from which time on, and the cells. */
export type Laid = [number, number[]][];
