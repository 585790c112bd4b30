// The chat's messages over the lobby socket. docs/lobby.md describes them.

export interface ChatLine {
  room: string;
  id: number;
  key: string;
  /** When it was said, ms of the server's clock. */
  at: number;
  by: string;
  kind: string;
  /** A quick phrase's code; otherwise there is a text. */
  phrase?: string;
  text?: string;
}

/** The answer when a room is opened. */
export interface ChatRoom {
  room: string;
  /** Whether this player may say quick phrases, and texts. */
  phrases: boolean;
  text: boolean;
  /** The error code of whatever isn't allowed. */
  why: string;
  lines: ChatLine[];
  /** The names of the players whom the reader has muted. */
  muted: string[];
}

/** What a page hands to the chat. */
export interface ChatPlace {
  /** The name of its room. */
  room: string;
  /** The name of the spectators' room, for players, who may read it after the match. */
  later?: string;
  /** Stands where no line is yet. */
  hint: string;
  /** The viewer's name. */
  me: string;
  /** The address of the style sheet. */
  style: string;
  /** The panel goes after this element. */
  after: HTMLElement;
  /** Gets the button of phones; without it the panel is always open. */
  head?: HTMLElement;
  /** Gets the class `has-chat` while a phone shows the panel. */
  root: HTMLElement;
  phase(): "setup" | "live" | "over";
}
