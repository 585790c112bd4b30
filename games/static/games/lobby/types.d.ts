// The lobby's messages to pages. docs/lobby.md describes them.

import type { ChatLine, ChatRoom } from "chat/types.d.ts";

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
  /** The number of matches that anybody may watch. */
  public: number;
  /** How many players wait, by the queue's name: "<mode>:...". */
  queues?: Record<string, number>;
}

export interface Challenge {
  id: string;
  from: string;
  to: string;
  mode: string;
  rated: boolean;
  status: "open" | "accepted" | "declined" | "cancelled" | "expired";
  /** It waits for a player who was away. */
  kept: boolean;
}

/** What a player is doing, as far as they let others see it. */
export interface Whereabouts {
  name: string;
  online: boolean;
  playing: boolean;
  mode: string | null;
  /** The match, if anybody may watch it. */
  url: string | null;
}

export interface Notification {
  id: number;
  kind: string;
  url: string;
  tag: string;
  unread: number;
  /** Title and body by language. */
  texts: Record<string, [string, string]>;
  /** Whether an open page says so. */
  alerts: boolean;
}

/** Whether the players of a match want to play again. */
export interface Again {
  match: string;
  players: LivePlayer[];
  /** Per seat; null: not answered yet. */
  answers: (boolean | null)[];
  /** Why there is no rematch. */
  ended: string | null;
  /** The player who ended it. */
  by?: string;
  new: string | null;
  url?: string;
}

export interface LobbyError {
  code: string;
  text: string;
  /** The type of the refused message. */
  for?: string;
  /** The match that the player is already in, and its page. */
  match?: string;
  url?: string;
}

/** The values that listeners of the lobby's socket get. */
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
  /** lobby/tournaments/types.d.ts has its form. */
  tournament: any;
  tournament_starts: { tournament: string; name: string; mode: string; url: string };
  following: { name: string; on: boolean };
  people: { all: boolean; players: Whereabouts[] };
  called: { token: string; name: string };
  notification: Notification;
  announce: { text: string };
  chat_line: ChatLine;
  chat_room: ChatRoom;
  chat_muted: { names: string[] };
  chat_reported: { line: number };
  error: LobbyError;
}

/** The content of a cell of a miniature board. */
export interface Tile {
  tile: string;
  digit?: number;
  mark?: "flag" | "mine" | "city" | "miss" | "hit" | null;
}

export interface Change extends Tile {
  cell: number;
}

/** The animation of a miniature board. */
export interface Scene {
  columns: number;
  rows: number;
  shape?: "hex";
  /** A tile per cell. */
  begin: Tile[];
  frames: Change[][];
}

/** The page's data about a mode (minesite/mode_modules.py). */
export interface ModeInfo {
  name: string;
  title: string;
  parts: string[];
  solo: boolean;
  judged: boolean;
}

/** A field of a mode's options (games/option_form.py). */
export type OptionField = HTMLInputElement & HTMLSelectElement;
