// A tournament as the server tells pages of it (lobby/tournaments/feed.py).

export interface Row {
  id: number;
  rank: number;
  name: string;
  kind: string;
  rating: number;
  state: "active" | "paused" | "withdrawn";
  games: number;
  /** The match that the player is in. */
  match: string | null;
  /** Of a Swiss tournament twice the points. Not in solo arenas. */
  score: number;
  ties: number[];
  /** The points of an arena's latest games. */
  sheet: number[];
  streak: boolean;
  /** The results of a Swiss tournament's rounds. */
  marks: string[];
  /** Of a solo arena: milliseconds, or thousandths of 3BV/s. */
  value?: number | null;
  board?: number | null;
}

export interface LeaderMatch {
  match: string;
  url: string;
  mode: string;
  players: { name: string; kind: string; rank: number }[];
}

export interface Picture {
  type: "tournament";
  tournament: string;
  version: number;
  status: "planned" | "running" | "over" | "cancelled";
  reason: string;
  starts: number;
  ends: number | null;
  round: number | null;
  rounds: number | null;
  rows: Row[];
  matches: LeaderMatch[];
  boards: { number: number; seal: string }[];
}

/** The difference to an earlier picture. */
export interface Change extends Partial<Omit<Picture, "rows" | "version" | "tournament">> {
  tournament: string;
  from: number;
  version: number;
  changed: Row[];
  gone: number[];
}
