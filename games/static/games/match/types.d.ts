// Types shared by the modules of the match page. docs/protocol.md describes views and events.

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
  /** The seats that were absent. */
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
  /** When the set-up ends. */
  setup_ends: number;
  seats: Seat[];
  /** Set once the match is over. */
  outcome: Outcome;
  seed: string | null;
  deal: string | null;
  /** Set once the match is over; null before. */
  truth: Truth | null;
  game: Game;
}

/** An event for a viewer. The fields depend on the type. */
export interface GameEvent {
  type: string;
  [field: string]: any;
}

export type FoldGame<Game = any> = (game: Game, event: any) => void;
export type Fold = (view: View, event: GameEvent) => View;

export interface SessionEvents extends Omit<LinkEvents, "error" | "spectators"> {
  change: undefined;
}

/** One viewer's view of a match (session.js). `view` and `welcome` are set before a mode is built. */
export interface Session<Game = any, Truth = any> {
  on: Emitter<SessionEvents>["on"];
  link: Link;
  view: View<Game, Truth>;
  welcome: Welcome;
  spectators: number;
  readonly seat: number | null;
  /** Whether this viewer is still playing. */
  readonly playing: boolean;
  /** Match time now, in ms. */
  time(): number;
  name(seat: number): string;
  /** Replaces the server's "player 2" by the player's name. */
  named(text: string): string;
  /** Send a command; returns its id, or null when too many are unacknowledged. */
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
    /** Whether players must confirm that they are ready before the match begins. */
    ready_check: boolean;
  };
  players: {
    name: string;
    kind: string;
    rating: number | null;
    account: string | null;
    /** Whether the visitor follows this player. */
    following: boolean;
  }[];
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
    /** For the board of the day: the page with everybody's results. */
    daily: string | null;
    /** For a match of a tournament: the way back. */
    tournament: string | null;
  };
  csrf: string;
  /** The queue request for the same kind of match with another opponent; null for solo matches. */
  wish: { mode: string; size: number; rated: boolean; preset: string } | null;
  /** The reasons why matches of the mode end, in a few words. */
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

/** Why the player can't play, and for how long (ms). */
export interface Freeze {
  text: string;
  left: number;
  ice?: boolean;
}

/** A sheet with text and buttons. */
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

/** The interface that the match page gives to a mode. */
export interface Page<Game = any, Truth = any> {
  session: Session<Game, Truth>;
  prefs: Prefs;
  sound: Sound;
  notices: Notices;
  data: MatchData;
  /** Cover the board while the player can't play; null uncovers it. */
  freeze(freeze: Freeze | null): void;
  /** Show a refusal: the server's, or one that the mode predicts. */
  refuse(refusal: Refusal): void;
  /** Flash the whole board for viewers who want that; `always`: the flash is part of the rules. */
  flash(how?: { always?: boolean }): void;
}

/** A number with a label at the top of the sidebar. */
export interface Figure {
  text: string;
  label: string;
  urgent?: boolean;
}

/** A player's row beside the board. */
export interface Row {
  value?: string;
  /** The player's progress, 0 to 1. */
  share?: number | null;
  note?: { text: string; kind: string } | null;
  /** Whether it is the player's turn. */
  active?: boolean;
}

/** A mode's part of the match page: the result of `create(page)` in its match.js. */
export interface MatchView {
  element: HTMLElement;
  boards: AnyBoard[];
  /** The board that flag mode and zoom control; the first one by default. */
  mainBoard?: AnyBoard | null;
  /** The mode's panel beside the board. */
  panel?: HTMLElement | null;
  /** A line of stages under the clocks. */
  readonly stages?: HTMLElement | null;
  /** The whole view is new. */
  view(): void;
  /** Called after the event has been folded into the view. */
  event(event: any): void;
  refused(refusal: Refusal): void;
  /** A better sentence for a refusal, or null. */
  explain?(refusal: Refusal): string | null;
  /** Called several times a second, and after every change. */
  tick(): void;
  /** Opens the mode's list of keys, where players can change them. */
  keys?(): void;
  /** Whether the mode calls `page.flash`, so that the settings offer it. */
  flashes?: boolean;
  /** In a solo match: whether no move has been made, so that a new match would be no different. */
  fresh?(): boolean;
  clock(): Figure | null;
  counter?(): Figure | null;
  row(seat: number): Row;
  /** The seat whose colour a player has, and a badge for the player: allies share a colour. */
  side?(seat: number): { colour: number; badge?: string | null };
  /** False: players don't confirm during the set-up that they are ready. */
  readies?: boolean;
  /** A headline for the result, instead of the winner. */
  headline?(view: View): Headline;
  /** Why the match ended; null to use the mode's texts. */
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

/** A playable minefield (field.js). */
export interface Field {
  element: HTMLElement;
  board: Board;
  draw(how?: Coming): void;
  /** Set by a mode to handle an input itself; returns whether it did. */
  intercept: ((kind: string, cell: number) => boolean) | null;
  /** Undo the flag of a refused action, and play the refusal effect on the cell. */
  refused(refusal: Refusal): void;
  /** Whether another player got this cell while our claim was in flight. */
  wasFaster(cell: number): boolean;
  flagsLeft(mines: number): number;
  /** Show newly opened cells, as a wave from the first of them. */
  opened(cells: number[], wave?: "open" | "claim"): void;
}
