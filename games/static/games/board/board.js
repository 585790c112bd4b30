// createBoard(element, options) -> a board drawn into the element.
//
//     const board = createBoard(document.querySelector("#board"), { prefs, you: 0, label: "Minefield" });
//     board.show(picture(view));                                  // no animation
//     board.show(picture(view), { wave: "open", origin: cell });  // changed cells in a wave
//     board.on("act", ({ kind, cell }) => ...);  // kind: reveal, flag, chord (input of the viewer)
//
// Without input (a replay, a spectator): createBoard(element, { interactive: false }); it still pans
// and zooms. Without a page at all, picture.js and fold/ are enough.
//
// `element` must have a size set by CSS; the board fits itself into it and follows its changes.
// `prefs`: { palette, patterns, animations, ... } as in games/prefs.js. `you`: the seat whose cells are
// drawn as the viewer's own. `whole`: always show the whole board, without zoom.

import { createAria } from "./aria.js";
import { readColours, watchTheme } from "./colours.js";
import { emitter } from "../emitter.js";
import { NOBODY } from "./faces.js";
import { drawFar } from "./far.js";
import { startInput } from "./input.js";
import { createMinimap } from "./minimap.js";
import { addEffect, createMotion, forget, startWave } from "./motion.js";
import { blankPicture } from "./picture.js";
import { createRenderer } from "./render.js";
import * as viewport from "./viewport.js";

/** @import { Board, BoardEvents, BoardOptions, BoardState, Look, Picture } from "games/board/types.d.ts" */
/** @import { Emitter } from "games/emitter.js" */

const LABELS = 0.6; // cells around a sea, for its letters and numbers

/**
 * The cells that look different.
 * @param {Picture} before
 * @param {Picture} after
 */
function differences(before, after) {
  const { faces, owners } = after;
  const cells = new Int32Array(faces.length);
  let count = 0;
  for (let cell = 0; cell < faces.length; cell++) {
    if (faces[cell] !== before.faces[cell] || owners[cell] !== before.owners[cell]) cells[count++] = cell;
  }
  return cells.subarray(0, count);
}

/** @returns {BoardState} */
function createState() {
  return {
    shown: blankPicture(1, 1),
    wanted: blankPicture(1, 1),
    viewport: viewport.createViewport(),
    motion: createMotion(),
    drawn: { frames: 0, cells: 0 }, // counted since the start, for tests and bench.browser
    marks: {},
    ships: null,
    pressed: [],
    hover: -1,
    cursor: -1,
    cursorShown: false,
    press: null,
    enabled: true,
    flagMode: false,
  };
}

/** @param {HTMLElement} element @param {BoardOptions} options @returns {Board} */
export function createBoard(element, options = {}) {
  const { prefs = {}, interactive = true, label = "" } = options;
  const state = createState();
  /** @type {Emitter<BoardEvents>} */
  const events = emitter();
  /** @type {Look} */
  const look = { you: options.you ?? null, patterns: prefs.patterns !== false, colours: readColours(prefs) };
  element.classList.add("board");
  const renderer = createRenderer(element, state, look);
  const coarse = matchMedia("(pointer: coarse)");
  // Small boards and boards without input are always shown whole; a large one to play on starts with cells
  // that a finger can hit.
  const forFingers = () => ({ touch: coarse.matches && interactive && !options.whole && !overview });
  let overview = false;
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const now = () => performance.now();

  /** @type {Board} */
  const board = {
    state,
    prefs,
    element,
    whole: Boolean(options.whole),
    flags: options.flags ?? true,
    /** Whether the toolbar offers to zoom. */
    zooms: !options.whole,
    get isCrowded() {
      return !options.whole && viewport.isCrowded(state.viewport);
    },
    grab: null,
    on: events.on,
    emit: events.emit,
    describe: options.describe ?? ((cell) => String(cell)),

    get moves() {
      return prefs.animations !== false && !still.matches && !document.hidden;
    },

    /** Show a picture. `wave`: "open", "claim" or "close", from the cell `origin` outwards. */
    show(picture, { wave = null, origin = 0 } = {}) {
      const { width, height } = picture;
      if (width !== state.shown.width || height !== state.shown.height) {
        state.motion = createMotion(width * height);
        state.shown = { ...picture, faces: picture.faces.slice(), owners: picture.owners.slice() };
        state.wanted = picture;
        Object.assign(state.viewport, { columns: width, rows: height, touched: false });
        viewport.fit(state.viewport, forFingers());
        board.redraw();
        minimap?.changed();
        aria?.update();
        return;
      }
      const changed = differences(state.wanted, picture);
      state.wanted = picture;
      if (changed.length === 0) return;
      minimap?.changed();
      // Earlier waves no longer apply to these cells.
      forget(state.motion, changed);
      if (wave && board.moves) {
        startWave(state.motion, changed, { columns: width, origin, kind: wave, now: now(), faces: state.shown.faces });
        renderer.wave(changed);
      } else {
        renderer.cells(changed);
      }
      aria?.update();
    },

    /** A short effect at a cell: burst, splash, hit, sink, refuse, pop. */
    effect(kind, cell, { delay = 0, duration = 500, face = 0 } = {}) {
      if (!board.moves) return;
      addEffect(state.motion, { kind, cell, face, oldFace: face, owner: NOBODY, at: now() + delay, duration });
      renderer.motion();
    },

    /** { shaded: [cell], pins: [{ cell, seat, label, sure }], frames: [{ cell, seat }], ghost } */
    mark(marks) {
      Object.assign(state.marks, marks);
      renderer.overlay();
    },

    /** The ships that lie in this sea: [{ cell, length, vertical, sunk }]. */
    showShips(ships) {
      if (state.ships === null) {
        state.viewport.margin = LABELS;
        board.fit();
      }
      state.ships = ships;
      renderer.all();
    },

    set(changes) {
      Object.assign(state, changes);
      renderer.overlay();
      if ("cursor" in changes) aria?.update();
    },

    enable(enabled) {
      if (state.enabled === enabled) return;
      state.enabled = enabled;
      element.classList.toggle("is-idle", !enabled);
      renderer.overlay();
    },

    zoom(factor, x = state.viewport.width / 2, y = state.viewport.height / 2) {
      if (options.whole) return;
      viewport.zoomTo(state.viewport, state.viewport.cell * factor, x, y);
      board.redraw();
    },

    fit() {
      viewport.fit(state.viewport);
      board.redraw();
    },

    /** Show the whole board, even on a small screen, until `closeUp`. */
    overview() {
      overview = true;
      board.fit();
    },

    /** Show the part around this cell; on a small screen with cells large enough for a finger. */
    closeUp(cell) {
      overview = false;
      viewport.fit(state.viewport, forFingers());
      viewport.centre(state.viewport, cell);
      board.redraw();
    },

    redraw() {
      renderer.all();
      moved();
    },

    setYou(seat) {
      if (look.you === seat) return;
      look.you = seat;
      renderer.restyle();
      minimap?.changed();
    },

    /** Read the preferences and the page's colours again. */
    restyle() {
      look.colours = readColours(prefs);
      look.patterns = prefs.patterns !== false;
      renderer.restyle();
      minimap?.changed();
    },

    /** The middle of a cell in CSS pixels from the corner of the element. */
    place(cell) {
      const v = state.viewport;
      const x = v.x + ((cell % v.columns) + 0.5) * v.cell;
      const y = v.y + (Math.floor(cell / v.columns) + 0.5) * v.cell;
      return { x: x / v.ratio, y: y / v.ratio, size: v.cell / v.ratio };
    },

    cellAt(x, y) {
      const { ratio } = state.viewport;
      return viewport.cellAt(state.viewport, x * ratio, y * ratio);
    },

    focus: () => aria?.element.focus({ preventScroll: true }),

    destroy() {
      resizing.disconnect();
      stopTheme();
      stopInput();
      aria?.element.remove();
      minimap?.destroy();
      renderer.destroy();
    },
  };

  element.board = board; // for the console, and for tests
  const aria = createAria(board, { label });
  const stopInput = startInput(board, aria.element, { interactive });
  const stopTheme = watchTheme(() => board.restyle());
  const minimap = options.whole ? null : createMinimap(element, { size, draw, seen, go });

  function size() {
    const { width, height } = state.wanted;
    return { width, height };
  }

  /** @param {CanvasRenderingContext2D} ctx */
  function draw(ctx) {
    drawFar(ctx, state.wanted, look);
  }

  function seen() {
    const { x, y, width, height, columns, rows, cell } = state.viewport;
    const [across, down] = [columns * cell, rows * cell];
    return { x: -x / across, y: -y / down, width: width / across, height: height / down };
  }

  /** @param {number} x @param {number} y shares of the board */
  function go(x, y) {
    const v = state.viewport;
    const [column, row] = [Math.floor(x * v.columns), Math.floor(y * v.rows)];
    const inside = (/** @type {number} */ at, /** @type {number} */ count) => Math.max(0, Math.min(count - 1, at));
    viewport.centre(v, inside(row, v.rows) * v.columns + inside(column, v.columns));
    board.redraw();
  }

  /** The visible part changed. On a board without input that is all visible, a finger scrolls the page (board.css). */
  function moved() {
    const v = state.viewport;
    const whole = viewport.isWhole(v);
    element.classList.toggle("is-picture", !interactive && whole);
    const head = Math.round((minimap?.toggle(!whole, v.width / v.ratio) ?? 0) * v.ratio);
    if (head !== v.head) {
      v.head = head;
      viewport.clamp(v);
      renderer.all();
    }
    events.emit("viewport", state.viewport);
  }

  function measure() {
    const { width, height } = element.getBoundingClientRect();
    const ratio = Math.max(1, window.devicePixelRatio || 1);
    if (!width || !height) return;
    viewport.resize(state.viewport, Math.round(width * ratio), Math.round(height * ratio), ratio, forFingers());
    renderer.resize();
    moved();
  }
  const resizing = new ResizeObserver(measure);
  resizing.observe(element);
  measure();
  return board;
}
