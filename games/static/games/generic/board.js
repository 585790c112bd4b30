// createCellBoard(element, options) -> a board of squares or hexagons, drawn as SVG into the element.
//
//     const board = createCellBoard(frame, { prefs, you: 0, label: "Board", describe: (cell) => "Row 1, …" });
//     board.show(picture(view));
//     board.on("act", ({ kind, cell }) => ...);   // kind: primary (click, tap, Enter) or secondary
//
// It has the methods of board/board.js that the match page and the replay use. Every cell is an element:
// the browser finds the cell under a finger, scrolls a board that is larger than its window, moves the
// focus, and tells screen readers where it is. `element` must have a size set by CSS.

import { svg } from "site/dom.js";

import { readColours, seatColours } from "../board/colours.js";
import { createMinimap } from "../board/minimap.js";
import { emitter } from "../emitter.js";
import { hatch, marks } from "./faces.js";
import { startInput } from "./input.js";
import { centre, extent, outline } from "./layout.js";

/** @typedef {import("./fold.js").Cells} Cells */

/**
 * @typedef {object} Options
 * @property {Record<string, any>} [prefs] as in games/prefs.js
 * @property {number | null} [you] the seat whose cells are drawn as the viewer's own
 * @property {boolean} [interactive] false: a picture
 * @property {string} [label]
 * @property {(cell: number) => string} [describe] a cell in words
 */

/**
 * @typedef {object} State everything that the board shows
 * @property {Cells} wanted the cells that are shown
 * @property {number} cursor the cell that has the focus, or would get it
 * @property {boolean} enabled whether a press does anything
 * @property {number} size of a cell, in CSS pixels
 * @property {boolean} zoomed whether the viewer has chosen that size
 * @property {number[]} legal the cells on which an action is legal; empty when any may be
 * @property {boolean} flagMode for the toolbar
 */

const LARGEST = 84; // CSS pixels of a cell
const SMALLEST_TOUCH = 26; // the smallest cell that a finger can hit
const COMFORTABLE = 34; // a cell that a finger hits easily
const MOVING = 60; // the most changed cells that are animated one by one
const SHORT = 400; // ms: longer than any animation of a cell

let boards = 0;

/**
 * @param {HTMLElement} element
 * @param {Options} options
 */
export function createCellBoard(element, options = {}) {
  const { prefs = {}, you = null, interactive = true, label = "", describe = String } = options;
  const events = emitter();
  const id = `cells-${++boards}`;
  const coarse = matchMedia("(pointer: coarse)");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const defs = svg("defs");
  const root = svg("svg", { role: "grid", class: "cells", "aria-label": label });
  /** @type {(SVGElement | null)[]} */
  let elements = [];
  /** @type {number[]} */
  let framed = [];
  let colours = readColours(prefs);
  /** @type {State} */
  const state = {
    wanted: { grid: "square", width: 0, height: 0, cells: [], owners: [], texts: [] },
    cursor: -1,
    enabled: interactive,
    size: 1,
    zoomed: false,
    legal: [],
    flagMode: false,
  };

  /** @param {number} cell */
  function paint(cell) {
    const made = elements[cell];
    if (!made) return;
    const { grid, cells, owners, texts } = state.wanted;
    const owner = owners[cell];
    made.dataset.face = cells[cell];
    if (owner === null) delete made.dataset.owner;
    else made.dataset.owner = String(owner);
    made.classList.toggle("is-own", owner !== null && owner === you);
    made.setAttribute("aria-label", describe(cell));
    /** @type {SVGElement} */ (made.querySelector(".marks")).replaceChildren(...marks(grid, cells[cell], texts[cell]));
    const pattern = owner === null || prefs.patterns === false ? null : owner;
    // The viewer's own ground is plain, as on every board of the site; a piece looks like the player's
    // swatch.
    paintHatch(made, ".ground-hatch", pattern === null || owner === you ? "none" : `url(#${id}-ground-${pattern})`);
    paintHatch(made, ".stone-hatch", pattern === null ? "none" : `url(#${id}-stone-${pattern})`);
  }

  /** @param {SVGElement} made @param {string} part @param {string} fill */
  const paintHatch = (made, part, fill) => made.querySelector(part)?.setAttribute("fill", fill);

  /** @param {number[]} before the cells that were marked until now */
  function paintLegal(before) {
    for (const cell of before) elements[cell]?.classList.remove("is-legal");
    for (const cell of state.legal) elements[cell]?.classList.add("is-legal");
    for (const cell of [...before, ...state.legal]) elements[cell]?.setAttribute("aria-label", describe(cell));
  }

  /** @param {number} cell */
  function makeCell(cell) {
    const { grid, width } = state.wanted;
    const { x, y } = centre(state.wanted, cell);
    return svg(
      "g",
      {
        id: `${id}-${cell}`,
        class: "cell",
        role: "gridcell",
        "aria-colindex": (cell % width) + 1,
        "data-cell": cell,
        tabindex: -1,
        transform: `translate(${x} ${y})`,
      },
      svg("path", { class: "ground", d: outline(grid, 1) }),
      svg("path", { class: "ground-hatch", d: outline(grid, 1) }),
      svg("g", { class: "marks" }),
      svg("circle", { class: "legal-dot", r: 9 }),
      svg("path", { class: "ring", d: outline(grid, 0.88) }),
    );
  }

  function build() {
    const { width, height, cells } = state.wanted;
    const { across, down } = extent(state.wanted);
    elements = cells.map((face, cell) => (face === "void" ? null : makeCell(cell)));
    framed = [];
    const rows = Array.from({ length: height }, (_, y) => {
      const there = elements.slice(y * width, (y + 1) * width).filter((made) => made !== null);
      return svg("g", { role: there.length ? "row" : "none", "aria-rowindex": y + 1 }, ...there);
    });
    root.setAttribute("viewBox", `-4 -4 ${across + 8} ${down + 8}`);
    root.setAttribute("aria-rowcount", String(height));
    root.setAttribute("aria-colcount", String(width));
    root.replaceChildren(defs, ...rows);
    const middle = Math.floor(height / 2) * width + Math.floor(width / 2);
    const first = elements[middle] ? middle : elements.findIndex((made) => made !== null);
    moveTo(elements[state.cursor] ? state.cursor : first);
    cells.forEach((_, cell) => paint(cell));
    paintLegal(state.legal);
    state.zoomed = false;
    fit();
    element.scrollTo(
      (element.scrollWidth - element.clientWidth) / 2,
      (element.scrollHeight - element.clientHeight) / 2,
    );
  }

  /** @param {number} cell @param {{ focus?: boolean }} how */
  function moveTo(cell, { focus = false } = {}) {
    elements[state.cursor]?.setAttribute("tabindex", "-1");
    state.cursor = cell;
    const made = elements[cell];
    if (!made) return;
    made.setAttribute("tabindex", "0");
    if (!focus) return;
    made.focus({ preventScroll: true });
    made.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  /** The cell size at which the whole board is visible. */
  function whole() {
    const { across, down } = extent(state.wanted);
    const [width, height] = [element.clientWidth - 2, element.clientHeight - 2];
    return Math.max(4, Math.min(LARGEST, (100 * width) / (across + 8), (100 * height) / (down + 8)));
  }

  function fit() {
    const size = whole();
    resize(interactive && coarse.matches && size < SMALLEST_TOUCH ? COMFORTABLE : size);
  }

  /** @param {number} size */
  function resize(size) {
    const { across, down } = extent(state.wanted);
    state.size = size;
    root.setAttribute("width", String(((across + 8) * size) / 100));
    root.setAttribute("height", String(((down + 8) * size) / 100));
    const cover = minimap.toggle(size > whole() + 0.5, element.clientWidth);
    // Let the viewer scroll cells out from under the minimap.
    root.style.marginTop = cover ? `${cover}px` : "";
  }

  const FAR = 4; // pixels of a cell in the minimap

  /** @param {CanvasRenderingContext2D} ctx */
  function drawFar(ctx) {
    ctx.clearRect(0, 0, ctx.canvas.width, ctx.canvas.height);
    state.wanted.cells.forEach((face, cell) => {
      if (face === "void") return;
      const { x, y } = centre(state.wanted, cell);
      const owner = state.wanted.owners[cell];
      ctx.fillStyle =
        owner !== null
          ? colours.seats[owner]
          : face === "flag" || face === "goal"
            ? colours.flag
            : face === "hidden" || face === "blocked"
              ? colours["tile-edge"]
              : colours["tile-open"];
      ctx.fillRect(Math.round((x / 100 - 0.5) * FAR), Math.round((y / 100 - 0.5) * FAR), FAR, FAR);
    });
  }

  const minimap = createMinimap(element, {
    size() {
      const { across, down } = extent(state.wanted);
      return { width: Math.ceil((across * FAR) / 100), height: Math.ceil((down * FAR) / 100) };
    },
    draw: drawFar,
    seen() {
      const [box, frame] = [root.getBoundingClientRect(), element.getBoundingClientRect()];
      return {
        x: (frame.x - box.x) / box.width,
        y: (frame.y - box.y) / box.height,
        width: element.clientWidth / box.width,
        height: element.clientHeight / box.height,
      };
    },
    go(x, y) {
      const [box, frame] = [root.getBoundingClientRect(), element.getBoundingClientRect()];
      element.scrollBy(
        box.x + x * box.width - frame.x - element.clientWidth / 2,
        box.y + y * box.height - frame.y - element.clientHeight / 2,
      );
    },
  });

  const board = {
    state,
    prefs,
    element,
    /** No flag mode, so the toolbar doesn't offer it. */
    flags: false,
    holds: true,
    /** Whether the toolbar offers to zoom. */
    zooms: true,
    get isCrowded() {
      return whole() < COMFORTABLE;
    },
    on: events.on,
    emit: events.emit,
    moveTo,

    /**
     * Show these cells; changed cells are animated briefly.
     * @param {Cells} next
     */
    show(next) {
      const before = state.wanted;
      state.wanted = next;
      const sameShape = ["grid", "width", "height"].every((key) => Reflect.get(before, key) === Reflect.get(next, key));
      if (!sameShape || before.cells.some((face, i) => (face === "void") !== (next.cells[i] === "void"))) {
        build();
        return;
      }
      const same = (/** @type {number} */ cell) =>
        before.cells[cell] === next.cells[cell] &&
        before.owners[cell] === next.owners[cell] &&
        before.texts[cell] === next.texts[cell];
      const changed = [...next.cells.keys()].filter((cell) => !same(cell));
      changed.forEach(paint);
      if (changed.length) minimap.changed();
      if (prefs.animations === false || still.matches || changed.length > MOVING) return;
      for (const cell of changed) board.effect("new", cell);
    },

    /**
     * Play a short effect at a cell: new or refuse.
     * @param {string} kind
     * @param {number} cell
     */
    effect(kind, cell) {
      const made = elements[cell];
      if (!made) return;
      made.classList.remove(`is-${kind}`);
      void made.getBoundingClientRect(); // restarts the animation
      made.classList.add(`is-${kind}`);
      setTimeout(() => made.classList.remove(`is-${kind}`), SHORT);
    },

    /**
     * Frame the cells of the last move.
     * @param {{ frames?: { cell: number }[] }} marked
     */
    mark({ frames = [] }) {
      for (const cell of framed) elements[cell]?.classList.remove("is-framed");
      framed = frames.map(({ cell }) => cell);
      for (const cell of framed) elements[cell]?.classList.add("is-framed");
      // On a board larger than its window, scroll to the move; a board without input doesn't scroll its page.
      if (interactive && framed.length === 1 && state.size > whole()) {
        elements[framed[0]]?.scrollIntoView({ block: "nearest", inline: "nearest" });
      }
    },

    /**
     * Mark the cells on which an action is legal.
     * @param {number[]} cells
     */
    offer(cells) {
      const before = state.legal;
      if (String(before) === String(cells)) return;
      state.legal = cells;
      paintLegal(before);
    },

    /** @param {Partial<State>} changes */
    set(changes) {
      Object.assign(state, changes);
    },

    /** @param {boolean} enabled */
    enable(enabled) {
      state.enabled = enabled;
      element.classList.toggle("is-idle", !enabled);
    },

    /** @param {number} factor */
    zoom(factor) {
      const size = Math.max(whole(), Math.min(LARGEST, state.size * factor));
      state.zoomed = size > whole();
      resize(size);
      elements[state.cursor]?.scrollIntoView({ block: "nearest", inline: "nearest" });
    },

    fit() {
      state.zoomed = false;
      resize(whole());
    },

    /** Read the preferences and the page's colours again. */
    restyle() {
      seatColours(prefs).forEach((/** @type {string} */ colour, /** @type {number} */ seat) => {
        element.style.setProperty(`--player-${seat}`, colour);
      });
      colours = readColours(prefs);
      minimap.changed();
      const names = colours.patterns;
      defs.replaceChildren(
        ...names.flatMap((/** @type {string} */ name, /** @type {number} */ seat) => [
          hatch(`${id}-ground-${seat}`, name, "of-ground", seat),
          hatch(`${id}-stone-${seat}`, name, "of-stone", seat),
        ]),
      );
      elements.forEach((_, cell) => paint(cell));
    },

    /**
     * The middle of a cell in CSS pixels from the corner of the element.
     * @param {number} cell
     */
    place(cell) {
      const [box, frame] = [elements[cell]?.getBoundingClientRect() ?? new DOMRect(), element.getBoundingClientRect()];
      return { x: box.x + box.width / 2 - frame.x, y: box.y + box.height / 2 - frame.y, size: state.size };
    },

    focus: () => elements[state.cursor]?.focus({ preventScroll: true }),

    destroy() {
      resizing.disconnect();
      stopInput();
      minimap.destroy();
      root.remove();
    },
  };

  element.classList.add("cell-board");
  element.classList.toggle("is-picture", !interactive);
  Object.assign(element, { board }); // for the console, and for tests
  element.prepend(root);
  element.addEventListener("scroll", () => minimap.moved(), { passive: true });
  const stopInput = startInput(board, /** @type {SVGSVGElement} */ (root), { interactive });
  const resizing = new ResizeObserver(() => (state.zoomed ? null : fit()));
  resizing.observe(element);
  board.restyle();
  return board;
}

/** @typedef {ReturnType<typeof createCellBoard>} CellBoard */
