// What the lobby tells pages. docs/lobby.md describes its messages.

export interface LivePlayer {
  name: string;
  kind: string;
}

/** A match that can be watched. */
export interface LiveMatch {
  url: string;
  mode: string;
  rated: boolean;
  players: LivePlayer[];
  spectators: number;
}

/** How busy the site is. */
export interface Numbers {
  online: number;
  queued: number;
  playing: number;
  matches: number;
  /** Of the matches, those that anybody may watch. */
  public: number;
  /** How many wait, by the queue's name: "<mode>:...". */
  queues?: Record<string, number>;
}

export interface Challenge {
  id: string;
  from: string;
  to: string;
  mode: string;
  rated: boolean;
  status: "open" | "accepted" | "declined" | "cancelled" | "expired";
}

/** Whether the players of a match want to play again. */
export interface Again {
  match: string;
  players: LivePlayer[];
  /** Per seat; null: not answered yet. */
  answers: (boolean | null)[];
  /** Why there is no rematch. */
  ended: string | null;
  /** Who ended it. */
  by?: string;
  new: string | null;
  url?: string;
}

export interface LobbyError {
  code: string;
  text: string;
  /** The type of the refused message. */
  for?: string;
  /** The match that the player is in already, and its page. */
  match?: string;
  url?: string;
}

/** What listeners of the lobby's socket get. */
export interface LobbyEvents {
  state: "idle" | "connecting" | "open" | "away" | "closed";
  hello: Numbers & { now: number };
  presence: Numbers;
  matches: { live: LiveMatch[] };
  queued: { queues: string[]; queued_at: number; bot?: boolean };
  requeued: { queues: string[]; queued_at: number; absent: string[] };
  unqueued: { reason: "left" | "expired" };
  bot_offer: {};
  matched: { match: string; url: string; source: string; mode: string };
  return: { url: string };
  challenge: Challenge;
  again: Again;
  invitation: { token: string; url: string; status: string; players: LivePlayer[] };
  blocks: { names: string[] };
  announce: { text: string };
  error: LobbyError;
}

/** What a miniature board shows in a cell. */
export interface Tile {
  tile: string;
  digit?: number;
  mark?: "flag" | "mine" | "city" | "miss" | "hit" | null;
}

export interface Change extends Tile {
  cell: number;
}

/** What a miniature board plays. */
export interface Scene {
  columns: number;
  rows: number;
  shape?: "hex";
  /** A tile per cell. */
  begin: Tile[];
  frames: Change[][];
}

/** What the page says of a mode (minesite/mode_modules.py). */
export interface ModeInfo {
  name: string;
  title: string;
  parts: string[];
  solo: boolean;
  judged: boolean;
}

/** A field of a mode's options (games/option_form.py). */
export type OptionField = HTMLInputElement & HTMLSelectElement;
