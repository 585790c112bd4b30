// The drawings in a cell, around (0, 0). Colours come from the style sheet (style.css).

import { svg } from "site/dom.js";

import { outline } from "./layout.js";

/** @typedef {"square" | "hex"} Grid */

/** @param {Grid} grid */
const tile = (grid) => [
  svg("path", { class: "tile-edge", d: outline(grid, 0.93) }),
  svg("path", { class: "tile", d: outline(grid, 0.9), transform: "translate(0 -3)" }),
];

const flag = () => [
  svg("path", { class: "pole", d: "M-12 26h26M-8 26v-50" }),
  svg("path", { class: "cloth", d: "M-8 -26l36 14l-36 15z" }),
];

const mine = () => [
  svg("path", { class: "spikes", d: "M0 -32v64M-32 0h64M-23 -23l46 46M23 -23l-46 46" }),
  svg("circle", { class: "ball", r: 21 }),
];

const stone = () => [svg("circle", { class: "stone", r: 34 }), svg("circle", { class: "stone-hatch", r: 32 })];

const king = () => [...stone(), svg("circle", { class: "stone-ring", r: 23 })];

const goal = () => [svg("circle", { class: "goal-ring", r: 26 }), svg("circle", { class: "goal-dot", r: 9 })];

/** @param {Grid} grid */
const wall = (grid) => [
  svg("path", { class: "wall", d: outline(grid, 0.94) }),
  svg("path", { class: "wall-lines", d: "M-22 22l44 -44M-22 -4l18 -18M4 22l18 -18" }),
];

/** @type {Record<string, (grid: Grid) => SVGElement[]>} */
const MARKS = {
  hidden: tile,
  flag: (grid) => [...tile(grid), ...flag()],
  mine,
  stone,
  king,
  goal,
  blocked: wall,
};

/** Faces that leave only a corner for a text. */
const FULL = new Set(["flag", "mine", "goal"]);

/**
 * Everything in a cell except its ground and its ring.
 * @param {Grid} grid
 * @param {string} face
 * @param {string} text
 */
export function marks(grid, face, text) {
  const drawn = MARKS[face]?.(grid) ?? [];
  if (!text) return drawn;
  const coloured = face === "plain" && /^[1-8]$/.test(text) ? ` n${text}` : "";
  const size = [...text].length > 1 ? 40 : 54;
  const written = FULL.has(face)
    ? svg("text", { class: "cell-text is-small", x: 20, y: 26, "font-size": 34 })
    : svg("text", { class: `cell-text${coloured}`, y: 1, "font-size": size });
  written.textContent = text;
  return [...drawn, written];
}

/** @type {Record<string, string>} Lines in a square of 24 units; "dots" has circles instead. */
const HATCHES = {
  rising: "M-6 6L6 -6M-6 30L30 -6M18 30L30 18",
  falling: "M-6 18L6 30M-6 -6L30 30M18 -6L30 6",
  level: "M0 6H24M0 18H24",
  upright: "M6 0V24M18 0V24",
  grid: "M12 0V24M0 12H24",
};

/**
 * A seat's pattern. `className` says in which of its colours.
 * @param {string} id
 * @param {string} name as in board/colours.js
 * @param {string} className
 * @param {number} seat
 */
export function hatch(id, name, className, seat) {
  const lines =
    name === "dots"
      ? [svg("circle", { cx: 6, cy: 6, r: 3.2 }), svg("circle", { cx: 18, cy: 18, r: 3.2 })]
      : [svg("path", { d: HATCHES[name] ?? HATCHES.rising })];
  const size = { width: 24, height: 24, patternUnits: "userSpaceOnUse" };
  return svg("pattern", { id, class: `hatch ${className}`, "data-owner": seat, ...size }, ...lines);
}
