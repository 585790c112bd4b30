// Types shared by the modules of the board and the pages that use it.

import type { Emitter } from "../emitter.js";
import type { Prefs } from "../prefs.js";

/** The content of a board: a face (faces.js) and an owner, a seat or NOBODY, per cell. */
export interface Picture {
  width: number;
  height: number;
  faces: Uint8Array;
  owners: Uint8Array;
}

/** A ship, from its left or upper end. */
export interface Ship {
  cell: number;
  length: number;
  vertical: boolean;
  sunk?: boolean;
}

/** A mark on a cell with a label, in the colour of a seat. */
export interface Pin {
  cell: number;
  seat: number;
  label: string;
  /** Drawn solid, because it no longer changes. */
  sure: boolean;
}

/** How likely a closed cell is a mine: 0 and 1 are proven. */
export interface Heat {
  cell: number;
  chance: number;
}

/** Marks over the cells. */
export interface Marks {
  heat?: Heat[];
  shaded?: number[];
  pins?: Pin[];
  frames?: { cell: number; seat: number }[];
  /** A ship that the player is placing; `good`: it may lie there. */
  ghost?: (Ship & { good: boolean }) | null;
}

/** The visible part of the board. Lengths are device pixels. */
export interface Viewport {
  width: number;
  height: number;
  /** Device pixels per CSS pixel. */
  ratio: number;
  columns: number;
  rows: number;
  /** The size of a cell. */
  cell: number;
  /** Where the board's corner lies. */
  x: number;
  y: number;
  /** The viewer has chosen this part. */
  touched: boolean;
  /** Room around the board, in cells: for labels. */
  margin: number;
  /** Device pixels at the upper edge that the minimap covers. */
  head: number;
}

export type WaveKind = "open" | "claim" | "close";
export type EffectKind = WaveKind | "pop" | "burst" | "splash" | "hit" | "sink" | "refuse";

/** A short effect at a cell. */
export interface Effect {
  kind: EffectKind;
  cell: number;
  face: number;
  /** The cell's face before, and its owner now. */
  oldFace: number;
  owner: number;
  /** Start and duration, in ms. */
  at: number;
  duration: number;
}

/** Cells that change one after another (motion.js). */
export interface Wave {
  kind: WaveKind;
  flood: boolean;
  start: number;
  cells: Int32Array;
  /** ms from the start, per cell. */
  after: Uint16Array;
  /** The faces that the cells had. */
  old: Uint8Array;
  /** How many cells have reached each step. */
  reached: Uint32Array;
}

export interface Motion {
  waves: Wave[];
  effects: Effect[];
  lifts: Uint8Array;
}

/** Everything about a board except its elements. */
export interface BoardState {
  /** The picture drawn now; a wave turns it into `wanted`. */
  shown: Picture;
  wanted: Picture;
  viewport: Viewport;
  motion: Motion;
  /** Counted since the start, for tests and bench.browser. */
  drawn: { frames: number; cells: number };
  marks: Marks;
  ships: Ship[] | null;
  pressed: number[];
  hover: number;
  cursor: number;
  cursorShown: boolean;
  /** A long press in progress. */
  press: { cell: number; progress: number } | null;
  enabled: boolean;
  flagMode: boolean;
}

/** CSS colours, resolved for the canvas. */
export type Colours = Record<string, string> & {
  numbers: string[];
  seats: string[];
  owned: string[];
  theirs: string[];
  patterns: string[];
  display: string;
};

/** How a board is drawn. */
export interface Look {
  colours: Colours;
  patterns: boolean;
  /** The seat whose cells are drawn as the viewer's own. */
  you: number | null;
}

export type ActKind = "reveal" | "flag" | "chord";

/** A viewer's action on a board. */
export interface Act {
  kind: ActKind;
  cell: number;
  by: "mouse" | "touch" | "keyboard";
}

export interface BoardEvents {
  act: Act;
  hover: number;
  cursor: number;
  key: KeyboardEvent;
  viewport: Viewport;
}

/** Something on a board that the viewer is dragging. */
export interface Held {
  move(cell: number): void;
  drop(cell: number): void;
  cancel(): void;
}

export interface BoardOptions {
  prefs?: Partial<Prefs>;
  you?: number | null;
  /** False: a picture, which still pans and zooms. */
  interactive?: boolean;
  label?: string;
  /** A cell in words. */
  describe?: (cell: number) => string;
  /** Always show the whole board, without zoom. */
  whole?: boolean;
  /** Whether cells can be flagged. */
  flags?: boolean;
}

/** How a change appears: in a wave from the cell `origin`, or all at once. */
export interface Coming {
  wave?: WaveKind | null;
  origin?: number;
}

/** The interface that pages need; the generic board (generic/board.js) has it too. */
export interface AnyBoard<Shown = any> {
  readonly state: { flagMode: boolean; wanted: Shown };
  readonly element: HTMLElement;
  /** Whether cells can be flagged, so that a button for it makes sense. */
  readonly flags: boolean;
  /** Whether the toolbar offers to zoom. */
  readonly zooms: boolean;
  /** Whether the whole board is too small for fingers, so that a phone needs zoom. */
  readonly isCrowded: boolean;
  /** A long press does something, though nothing can be flagged. */
  readonly holds?: boolean;
  show(drawn: Shown, how?: Coming): void;
  mark(marks: Marks): void;
  set(changes: { flagMode?: boolean }): void;
  enable(enabled: boolean): void;
  zoom(factor: number): void;
  fit(): void;
  focus?(): void;
  restyle(): void;
  destroy(): void;
  showShips?(ships: Ship[]): void;
  /** Show the whole board, even on a small screen. */
  overview?(): void;
}

/** A board drawn into an element (board.js). */
export interface Board extends AnyBoard<Picture> {
  readonly state: BoardState;
  readonly prefs: Partial<Prefs>;
  readonly whole: boolean;
  /** Whether to animate changes: not if the viewer has turned that off, or while the page is hidden. */
  readonly moves: boolean;
  on: Emitter<BoardEvents>["on"];
  emit: Emitter<BoardEvents>["emit"];
  describe(cell: number): string;
  /** Set by a mode with draggable things. */
  grab: ((cell: number) => Held | null) | null;
  /** A short effect at a cell. */
  effect(kind: EffectKind, cell: number, how?: { delay?: number; duration?: number; face?: number }): void;
  /** The ships that lie in this sea. */
  showShips(ships: Ship[]): void;
  set(changes: Partial<BoardState>): void;
  /** Zoom around a point, in device pixels. */
  zoom(factor: number, x?: number, y?: number): void;
  /** Show the whole board, even on a small screen, until `closeUp`. */
  overview(): void;
  /** Show the part around this cell; on a small screen with cells large enough for a finger. */
  closeUp(cell: number): void;
  redraw(): void;
  setYou(seat: number | null): void;
  /** The middle of a cell in CSS pixels from the corner of the element. */
  place(cell: number): { x: number; y: number; size: number };
  cellAt(x: number, y: number): number;
  focus(): void;
}

/** The tools that input.js passes to mouse, touch and keyboard. */
export interface InputTools {
  listen<T extends keyof HTMLElementEventMap>(
    type: T,
    run: (event: HTMLElementEventMap[T]) => void,
    options?: AddEventListenerOptions,
  ): void;
  /** The position of an event, in CSS pixels from the corner of the board. */
  local(event: MouseEvent): { x: number; y: number };
  cellOf(event: MouseEvent): number;
  interactive: boolean;
}

export interface Keys {
  spaceHeld(): boolean;
  spaceUsed(): void;
}

declare global {
  interface HTMLElement {
    /** The board in this element, for the console and for tests. */
    board?: AnyBoard;
  }
}
