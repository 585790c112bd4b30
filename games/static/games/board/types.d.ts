// What the modules of the board hand each other, and pages hand to the board.

import type { Emitter } from "../emitter.js";
import type { Prefs } from "../prefs.js";

/** What a board shows: a face (faces.js) and an owner, a seat or NOBODY, per cell. */
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
  /** Drawn solid: it does not change any more. */
  sure: boolean;
}

/** What lies over the cells. */
export interface Marks {
  shaded?: number[];
  pins?: Pin[];
  frames?: { cell: number; seat: number }[];
  /** A ship that is being placed; `good`: it may lie there. */
  ghost?: (Ship & { good: boolean }) | null;
}

/** Which part of the board is seen. Lengths are device pixels. */
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

/** A short movement at a cell. */
export interface Effect {
  kind: EffectKind;
  cell: number;
  face: number;
  /** What it showed before, and whose it is now. */
  oldFace: number;
  owner: number;
  /** When it begins, and how long it takes, in ms. */
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
  /** How many cells have come to each step. */
  reached: Uint32Array;
}

export interface Motion {
  waves: Wave[];
  effects: Effect[];
  lifts: Uint8Array;
}

/** Everything about a board but the page. */
export interface BoardState {
  /** What is drawn now; a wave brings it to what is `wanted`. */
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
  /** A long press on its way. */
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
  /** The seat whose cells are drawn as one's own. */
  you: number | null;
}

export type ActKind = "reveal" | "flag" | "chord";

/** What a viewer does on a board. */
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

/** Something on a board that is being dragged. */
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

/** How a change comes: in a wave from the cell `origin`, or at once. */
export interface Coming {
  wave?: WaveKind | null;
  origin?: number;
}

/** What pages need of a board; the generic board (generic/board.js) has it too. */
export interface AnyBoard<Shown = any> {
  readonly state: { flagMode: boolean; wanted: Shown };
  readonly element: HTMLElement;
  /** Whether cells can be flagged, so that a button for it makes sense. */
  readonly flags: boolean;
  /** Whether the toolbar offers to zoom. */
  readonly zooms: boolean;
  /** Whether a finger needs a part of the board at a time, and with it zoom on a phone. */
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
}

/** A board drawn into an element (board.js). */
export interface Board extends AnyBoard<Picture> {
  readonly state: BoardState;
  readonly prefs: Partial<Prefs>;
  readonly whole: boolean;
  /** Whether changes move: the viewer may not want it, or the page may be hidden. */
  readonly moves: boolean;
  on: Emitter<BoardEvents>["on"];
  emit: Emitter<BoardEvents>["emit"];
  describe(cell: number): string;
  /** Set by a mode that lets things be dragged. */
  grab: ((cell: number) => Held | null) | null;
  /** A short effect at a cell. */
  effect(kind: EffectKind, cell: number, how?: { delay?: number; duration?: number; face?: number }): void;
  /** The ships that lie in this sea. */
  showShips(ships: Ship[]): void;
  set(changes: Partial<BoardState>): void;
  /** Zoom around a point, in device pixels. */
  zoom(factor: number, x?: number, y?: number): void;
  /** The whole board, on a small screen too, until `closeUp`. */
  overview(): void;
  /** Around this cell; on a small screen so near that a finger can hit the cells. */
  closeUp(cell: number): void;
  redraw(): void;
  setYou(seat: number | null): void;
  /** The middle of a cell in CSS pixels from the corner of the element. */
  place(cell: number): { x: number; y: number; size: number };
  cellAt(x: number, y: number): number;
  focus(): void;
}

/** What input.js gives to mouse, touch and keyboard. */
export interface InputTools {
  listen<T extends keyof HTMLElementEventMap>(
    type: T,
    run: (event: HTMLElementEventMap[T]) => void,
    options?: AddEventListenerOptions,
  ): void;
  /** Where an event is, in CSS pixels from the corner of the board. */
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
