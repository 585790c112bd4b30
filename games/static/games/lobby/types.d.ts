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
  /** How many wait, by "<mode>:<queue>". */
  queues?: Record<string, number>;
  [name: string]: unknown;
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
