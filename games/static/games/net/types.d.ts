// Types shared by the socket of a match and the pages. docs/protocol.md describes the messages.

import type { Emitter } from "../emitter.js";
import type { GameEvent, View } from "../match/types.d.ts";

/** An action that a player asks for. */
export interface Action {
  type: string;
  cell?: number;
  [field: string]: unknown;
}

export type LinkState = "idle" | "connecting" | "open" | "away" | "taken_over" | "closed";

/** The first message of a connection. */
export interface Welcome {
  mode: string;
  /** This viewer's seat; null for a spectator. */
  seat: number | null;
  players: { name: string; kind: string; user: string | null }[];
  spectators: number;
  /** The delay of this viewer's stream, in ms. */
  delay: number;
  /** The server's clock. */
  now: number;
}

/** A refused action. */
export interface Refusal {
  code: string;
  text: string;
  id?: string;
  action: Action | null;
}

export interface LinkEvents {
  state: { state: LinkState; reason?: string };
  welcome: Welcome;
  view: View;
  event: { event: GameEvent; t: number };
  refused: Refusal;
  acked: { id: string; action: Action | null };
  spectators: number;
  /** The match is archived: clients can fetch its result. */
  archived: undefined;
  quality: { rtt: number };
  error: unknown;
}

/** The socket of a match. */
export interface Link {
  on: Emitter<LinkEvents>["on"];
  readonly state: LinkState;
  /** The server's clock, ms. */
  now(): number;
  start(): void;
  /** Take the seat back from another tab or device. */
  resume(): void;
  /** Send a command; returns its id, or null when too many are unacknowledged. */
  act(action: Action): string | null;
  leave(): void;
}
