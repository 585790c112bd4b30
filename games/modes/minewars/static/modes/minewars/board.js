// createWarBoard(element, options) -> the map, drawn into the element.
//
//     const board = createWarBoard(frame, { prefs, label: "Map", describe: (cell) => "Land, yours, …" });
//     board.show(picture(view));
//     board.on("act", ({ kind, cell }) => ...);   // kind: primary (click, tap, Enter) or secondary
//     board.on("drag", ({ cell, phase }) => ...); // while board.set({ drawing: true })
//
// It has the methods of games/board/board.js that the match page and the replay use. `element` must have
// a size set by CSS.

import { emitter } from "games/emitter.js";
import { watchTheme } from "games/board/colours.js";

import { createAria } from "./aria.js";
import * as camera from "./camera.js";
import { ownerOf } from "./codes.js";
import { startInput } from "./input.js";
import { readLook } from "./look.js";
import { createRenderer } from "./render.js";
import { createTopology } from "./topology.js";

/** @typedef {import("./camera.js").Camera} Camera */
/** @typedef {import("./topology.js").Topology} Topology */

/**
 * @typedef {object} Picture the parts of a view that the map shows
 * @property {string} topology
 * @property {number} radius
 * @property {number[]} tiles codes
 * @property {number[]} cities their cells
 * @property {number[][]} empires the seats of each
 * @property {number} empire the viewer's, 0 for none
 */

/**
 * @typedef {object} State everything that the board shows
 * @property {Topology} topo
 * @property {Int32Array} tiles
 * @property {Set<number>} cities
 * @property {Camera} camera
 * @property {import("./look.js").Look} look
 * @property {import("./effects.js").Effect[]} effects
 * @property {import("./overlay.js").Marks} marks
 * @property {number} hover
 * @property {number} cursor
 * @property {boolean} cursorShown
 * @property {boolean} enabled whether a press does anything
 * @property {boolean} drawing a drag marks tiles instead of moving the map
 * @property {{ cell: number, progress: number } | null} press a long press under way
 * @property {{ frames: number, tiles: number }} drawn counted since the start, for tests
 * @property {() => number} time match time
 * @property {() => boolean} isTimed whether the overlay changes with time alone
 * @property {boolean} flagMode for the page's toolbar
 */

/**
 * @typedef {object} Options
 * @property {Record<string, any>} [prefs] as in games/prefs.js
 * @property {boolean} [interactive] false: a picture that can be moved and zoomed
 * @property {string} [label]
 * @property {(cell: number) => string} [describe] a tile in words
 * @property {() => number} [time] match time
 */

const FOOT = 110; // CSS pixels that the tools cover
const RIPPLE = 26; // ms from tile to tile
const MOST_RIPPLES = 900;

/**
 * @param {HTMLElement} element
 * @param {Options} options
 */
export function createWarBoard(element, options = {}) {
  const { prefs = {}, interactive = true, label = "", describe = String, time = () => 0 } = options;
  const events = emitter();
  const topo = createTopology("hex", 1);
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  element.classList.add("board", "war-board");
  /** @type {Picture} */
  let shown = { topology: "", radius: 1, tiles: [], cities: [], empires: [], empire: 0 };
  /** @type {State} */
  const state = {
    topo,
    tiles: new Int32Array(topo.size),
    cities: new Set(),
    camera: camera.createCamera(topo),
    look: readLook(element, prefs, [], 0),
    effects: [],
    marks: {},
    hover: -1,
    cursor: topo.middle,
    cursorShown: false,
    enabled: interactive,
    drawing: false,
    press: null,
    drawn: { frames: 0, tiles: 0 },
    time,
    isTimed: () =>
      Boolean(state.marks.orders?.length || state.marks.sieges?.length) ||
      Boolean(state.marks.rims?.some(({ until }) => until > time())),
    flagMode: false,
  };
  const renderer = createRenderer(element, state);
  /** Where to look as soon as the board has a size. @type {[number, number] | null} */
  let wish = null;

  const board = {
    state,
    prefs,
    element,
    /** No flag mode, so the toolbar doesn't offer it. */
    flags: false,
    holds: true,
    on: events.on,
    emit: events.emit,
    describe,
    /** Whether a long press or holding the right button opens a menu; else both are a secondary press. */
    menu: false,
    /** Handles Enter before it counts as a press; returns true if it did. @type {(() => boolean) | null} */
    confirm: null,

    get moves() {
      return prefs.animations !== false && !still.matches && !document.hidden;
    },

    /**
     * Show this picture; `from`: the tile where the ripple over captured land starts.
     * @param {Picture} picture
     * @param {{ from?: number }} how
     */
    show(picture, { from = -1 } = {}) {
      const before = shown;
      shown = picture;
      if (picture.topology !== before.topology || picture.radius !== before.radius) {
        state.topo = createTopology(picture.topology, picture.radius);
        state.tiles = Int32Array.from(picture.tiles);
        state.camera = { ...state.camera, topo: state.topo, touched: false };
        state.cursor = state.topo.middle;
        camera.fit(state.camera);
      }
      state.cities = new Set(picture.cities);
      if (picture.empire !== before.empire || picture.empires.length !== before.empires.length) {
        board.restyle();
        state.tiles.set(picture.tiles);
        events.emit("tiles", null);
      } else if (picture.topology !== before.topology || picture.radius !== before.radius) {
        renderer.restyle();
        events.emit("tiles", null);
      } else board.update(picture.tiles, from);
      aria.update(picture.topology !== before.topology || picture.radius !== before.radius);
    },

    /** @param {ArrayLike<number>} tiles @param {number} from */
    update(tiles, from = -1) {
      /** @type {number[]} */
      const changed = [];
      /** @type {number[]} */
      const taken = [];
      for (let cell = 0; cell < tiles.length; cell++) {
        const [before, now] = [state.tiles[cell], tiles[cell]];
        if (before === now) continue;
        changed.push(cell);
        if (ownerOf(now) && ownerOf(now) !== ownerOf(before)) taken.push(cell);
        state.tiles[cell] = now;
      }
      if (!changed.length) return;
      if (from >= 0) changed.sort((a, b) => state.topo.distance(from, a) - state.topo.distance(from, b));
      if (board.moves && taken.length <= MOST_RIPPLES) ripple(taken, from);
      renderer.tiles(changed);
      events.emit("tiles", changed);
      aria.update();
    },

    /**
     * Play a short effect: burst, refuse, take, ping.
     * @param {string} kind
     * @param {number} cell
     * @param {{ delay?: number, duration?: number }} how
     */
    effect(kind, cell, { delay = 0, duration = 500 } = {}) {
      if (kind === "ping" && cell >= 0) events.emit("ping", { cell, duration });
      if (!board.moves || cell < 0) return;
      state.effects.push({ kind, cell, at: performance.now() + delay, duration });
      renderer.motion();
    },

    /** @param {import("./overlay.js").Marks} marks */
    mark(marks) {
      Object.assign(state.marks, marks);
      renderer.overlay();
    },

    /** @param {Partial<State>} changes */
    set(changes) {
      Object.assign(state, changes);
      renderer.overlay();
      if ("cursor" in changes || changes.cursorShown) aria.update();
    },

    /** @param {boolean} enabled */
    enable(enabled) {
      if (state.enabled === enabled) return;
      state.enabled = enabled;
      element.classList.toggle("is-idle", !enabled);
    },

    /** @param {number} dx @param {number} dy in device pixels */
    pan(dx, dy) {
      camera.pan(state.camera, dx, dy);
      moved();
    },

    /** @param {number} scale @param {number} x @param {number} y in device pixels */
    zoomTo(scale, x, y) {
      camera.zoomTo(state.camera, scale, x, y);
      moved();
    },

    /** @param {number} factor */
    zoom(factor, x = state.camera.width / 2, y = state.camera.height / 2) {
      const { scale } = state.camera;
      const next = scale * factor;
      board.zoomTo(factor > 1 ? Math.max(scale + 1, next) : Math.min(scale - 1, next), x, y);
    },

    fit() {
      camera.fit(state.camera);
      moved();
    },

    /**
     * Bring a tile to the middle, and near enough to play there.
     * @param {number} cell
     * @param {number} [least] CSS pixels across a tile
     */
    look(cell, least = 0) {
      if (state.camera.width === 1) return void (wish = [cell, least]); // not on the page yet
      state.camera.scale = Math.max(state.camera.scale, Math.round(least * state.camera.ratio));
      camera.centre(state.camera, cell);
      // Centre it in the part that the tools don't cover.
      if (interactive) camera.pan(state.camera, 0, (-FOOT / 2) * state.camera.ratio);
      moved();
    },

    /** Scroll so that a tile is well inside the window. @param {number} cell */
    reveal(cell) {
      const { x, y } = camera.place(state.camera, cell);
      const { width, height, scale, ratio } = state.camera;
      const edge = scale * 2;
      const foot = interactive ? Math.max(edge, FOOT * ratio) : edge;
      const dx = x < edge ? edge - x : x > width - edge ? width - edge - x : 0;
      const dy = y < edge ? edge - y : y > height - foot ? height - foot - y : 0;
      if (dx || dy) board.pan(dx, dy);
    },

    /** Read the preferences and the page's colours again. */
    restyle() {
      state.look = readLook(element, prefs, shown.empires, shown.empire);
      renderer.restyle();
      events.emit("tiles", null);
    },

    redraw: () => renderer.all(),

    /** The middle of a tile in CSS pixels from the corner of the element. @param {number} cell */
    place(cell) {
      const { x, y } = camera.place(state.camera, cell);
      const { ratio, scale } = state.camera;
      return { x: x / ratio, y: y / ratio, size: scale / ratio };
    },

    /** @param {number} x @param {number} y in CSS pixels */
    cellAt: (x, y) => camera.cellAt(state.camera, x * state.camera.ratio, y * state.camera.ratio),

    focus: () => aria.element.focus({ preventScroll: true }),

    destroy() {
      resizing.disconnect();
      stopTheme();
      stopInput();
      aria.element.remove();
      renderer.destroy();
    },
  };

  /** @param {number[]} cells @param {number} from */
  function ripple(cells, from) {
    const now = performance.now();
    for (const cell of cells) {
      const far = from < 0 ? 0 : state.topo.distance(from, cell);
      const colour = state.look.empire(ownerOf(state.tiles[cell])).css;
      state.effects.push({ kind: "take", cell, at: now + far * RIPPLE, duration: 380, colour });
    }
  }

  function moved() {
    renderer.camera();
    events.emit("viewport", state.camera);
  }

  function measure() {
    const { width, height } = element.getBoundingClientRect();
    if (!width || !height) return;
    const ratio = Math.max(1, window.devicePixelRatio || 1);
    camera.resize(state.camera, Math.round(width * ratio), Math.round(height * ratio), ratio);
    renderer.resize();
    if (wish) board.look(...wish);
    wish = null;
    moved();
  }

  Object.assign(element, { board }); // for the console, and for tests
  const aria = createAria(board, { label });
  const stopInput = startInput(board, aria.element, { interactive });
  const stopTheme = watchTheme(() => board.restyle());
  const resizing = new ResizeObserver(measure);
  resizing.observe(element);
  measure();
  return board;
}

/** @typedef {ReturnType<typeof createWarBoard>} WarBoard */
