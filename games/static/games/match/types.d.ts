// What the modules of the match page hand each other. docs/protocol.md describes views and events.

import type { AnyBoard, Board, Coming, Picture } from "../board/types.d.ts";
import type { Emitter } from "../emitter.js";
import type { Action, Link, LinkEvents, Refusal, Welcome } from "../net/types.d.ts";
import type { Prefs } from "../prefs.js";

export interface Seat {
  team: number;
  connected: boolean;
  ready: boolean;
  gone: number | null;
  deadline: number | null;
  claimable: boolean;
  retired: number | null;
}

export interface Outcome {
  /** The rank of each seat, from 1. */
  ranks: number[];
  reason: string;
  aborted: boolean;
  /** The seats that were not there. */
  absent?: number[];
}

/** Everything a viewer may know now; `Game` is the mode's part. Times are match time, in ms. */
export interface View<Game = any, Truth = any> {
  mode: string;
  version: number;
  options: Record<string, any>;
  commitment: string;
  /** The viewer's seat; null for a spectator. */
  you: number | null;
  phase: "setup" | "live" | "over";
  origin: number;
  /** While the match is being set up. */
  setup_ends: number;
  seats: Seat[];
  /** Once it is over. */
  outcome: Outcome;
  seed: string | null;
  deal: string | null;
  /** Once it is over; null before. */
  truth: Truth | null;
  game: Game;
}

/** What a viewer is told. The fields depend on the type. */
export interface GameEvent {
  type: string;
  [field: string]: any;
}

export type FoldGame<Game = any> = (game: Game, event: any) => void;
export type Fold = (view: View, event: GameEvent) => View;

export interface SessionEvents extends Omit<LinkEvents, "error" | "spectators"> {
  change: undefined;
}

/** One match as this viewer knows it (session.js). `view` and `welcome` are there once a mode is built. */
export interface Session<Game = any, Truth = any> {
  on: Emitter<SessionEvents>["on"];
  link: Link;
  view: View<Game, Truth>;
  welcome: Welcome;
  spectators: number;
  readonly seat: number | null;
  /** Whether this viewer still plays. */
  readonly playing: boolean;
  /** Match time now, in ms. */
  time(): number;
  name(seat: number): string;
  /** The server's "player 2" by the name that people know. */
  named(text: string): string;
  /** Send a command; returns its id, or null when too many wait already. */
  act(action: Action): string | null;
}

/** The page's JSON, from games/views/match.py. */
export interface MatchData {
  match: {
    id: string;
    mode: string;
    options: Record<string, unknown>;
    rated: boolean;
    source: string;
    status: string;
    title: string;
    /** Players say that they are ready before it begins. */
    ready_check: boolean;
  };
  players: { name: string; kind: string; rating: number | null; account: string | null }[];
  user: { name: string; kind: string; preferences: Partial<Prefs> } | null;
  urls: {
    result: string;
    replay: string;
    hint: string;
    play: string;
    report: string;
    signup: string;
    choices: string;
    settings: string;
    /** Of a board of the day: the page with everybody's results. */
    daily: string | null;
  };
  csrf: string;
  /** What to queue for to play the same with somebody else; null for one player. */
  wish: { mode: string; size: number; rated: boolean; preset: string } | null;
  /** Why matches of the mode can end, in a few words. */
  reasons: Record<string, string>;
}

export interface Notices {
  element: HTMLElement;
  /** `kind`: "", good, bad, warn; `now` interrupts a screen reader. */
  say(text: string, how?: { kind?: string; now?: boolean }): () => void;
}

export interface Sound {
  play(name: string): void;
}

/** Why one can't play, and for how long (ms). */
export interface Freeze {
  text: string;
  left: number;
  ice?: boolean;
}

/** A sheet of words and buttons. */
export interface Sheet {
  title: string;
  text: string;
  actions?: { label: string; primary?: boolean; run: () => void }[];
}

export interface Cover {
  element: HTMLElement;
  show(key: string, sheet: Sheet): void;
  put(key: string, content: HTMLElement): void;
  hide(key: string): void;
}

/** What the match page gives to a mode. */
export interface Page<Game = any, Truth = any> {
  session: Session<Game, Truth>;
  prefs: Prefs;
  sound: Sound;
  notices: Notices;
  data: MatchData;
  /** Cover the board while one can't play; null when it is over. */
  freeze(freeze: Freeze | null): void;
  /** Show a refusal: the server's, or one that the mode knows without asking. */
  refuse(refusal: Refusal): void;
  /** The whole board lights up, for those who want that; `always`: it is part of the rules. */
  flash(how?: { always?: boolean }): void;
}

/** A number with a label at the top of the side. */
export interface Figure {
  text: string;
  label: string;
  urgent?: boolean;
}

/** What is told of a player beside the board. */
export interface Row {
  value?: string;
  /** How far they are, 0 to 1. */
  share?: number | null;
  note?: { text: string; kind: string } | null;
  /** It is their turn. */
  active?: boolean;
}

/** A mode's part of the match page: what `create(page)` of its match.js makes. */
export interface MatchView {
  element: HTMLElement;
  boards: AnyBoard[];
  /** The board that flag mode and zoom are for; without it the first one. */
  mainBoard?: AnyBoard | null;
  /** What stands beside the board. */
  panel?: HTMLElement | null;
  /** A line of stages under the clocks. */
  readonly stages?: HTMLElement | null;
  /** The whole view is new. */
  view(): void;
  /** The event is in the view. */
  event(event: any): void;
  refused(refusal: Refusal): void;
  /** A better sentence for a refusal, or null. */
  explain?(refusal: Refusal): string | null;
  /** Several times a second, and after every change. */
  tick(): void;
  /** Opens a list of its own keys, where they can be changed. */
  keys?(): void;
  /** Whether it calls `page.flash`, so that there is something to set. */
  flashes?: boolean;
  /** In a game for one: nothing has been done yet, so a new game would be the same. */
  fresh?(): boolean;
  clock(): Figure | null;
  counter?(): Figure | null;
  row(seat: number): Row;
  /** The seat in whose colour a player is shown, and a word about them: allies share a colour. */
  side?(seat: number): { colour: number; badge?: string | null };
  /** False: players don't say during the set-up that they are ready. */
  readies?: boolean;
  /** How it ended, instead of who won. */
  headline?(view: View): Headline;
  /** Why it ended, instead of the mode's texts; null for those. */
  reason?(): string | null;
  /** Lines of the result. */
  facts?(): [string, string][];
}

export interface Headline {
  text: string;
  kind: "win" | "loss" | "none";
}

/** A mode's texts.js. */
export interface ModeTexts {
  reasons?: Record<string, string>;
  refusals?: Record<string, string>;
  quiet?: string[];
}

/** The modules of a mode that the match page loads (modes.js). */
export interface MatchParts {
  match: { create(page: Page): MatchView } | null;
  fold: { fold: FoldGame } | null;
  texts: ModeTexts | null;
}

export type MakePicture = (view: View, options?: { pending?: Map<number, boolean> }) => Picture;

/** A minefield that is played on (field.js). */
export interface Field {
  element: HTMLElement;
  board: Board;
  draw(how?: Coming): void;
  /** Set by a mode to take an input itself (returns true then). */
  intercept: ((kind: string, cell: number) => boolean) | null;
  /** A refused action: its flag goes back, and the cell says no. */
  refused(refusal: Refusal): void;
  /** Whether somebody else got this cell while our claim was on its way. */
  wasFaster(cell: number): boolean;
  flagsLeft(mines: number): number;
  /** Cells that opened, as a wave from the first of them. */
  opened(cells: number[], wave?: "open" | "claim"): void;
}
