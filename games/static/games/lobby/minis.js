// Animated miniature boards: an SVG per [data-mini], whose value is the name of a mode or `hero`. They pause
// while out of sight, and don't move for visitors who prefer reduced motion.

import { svg } from "site/dom.js";

import { loadPart } from "../modes.js";
import { clearedField } from "./scenes.js";

/** @import { Change, Scene } from "games/lobby/types.d.ts" */

const CELL = 20;
const GAP = 2;
const FRAME_MS = 170;
const REST_MS = 2_600;

/** @param {number} x @param {number} y */
function squareAt(x, y) {
  return svg("rect", { x: x * CELL + GAP / 2, y: y * CELL + GAP / 2, width: CELL - GAP, height: CELL - GAP, rx: 4 });
}

/** @param {number} x @param {number} y */
function hexAt(x, y) {
  const [cx, cy] = hexMiddle(x, y);
  const r = CELL * 0.56;
  const points = [0, 1, 2, 3, 4, 5].map((k) => {
    const angle = (Math.PI / 3) * k + Math.PI / 6;
    return `${(cx + r * Math.cos(angle)).toFixed(1)},${(cy + r * Math.sin(angle)).toFixed(1)}`;
  });
  return svg("polygon", { points: points.join(" ") });
}

/** @param {number} x @param {number} y @returns {[number, number]} */
const hexMiddle = (x, y) => [(x + 0.75 + (y % 2) / 2) * CELL, (y * 0.87 + 0.65) * CELL];
/** @param {number} x @param {number} y @returns {[number, number]} */
const squareMiddle = (x, y) => [(x + 0.5) * CELL, (y + 0.5) * CELL];

/** @type {Record<string, (x: number, y: number) => SVGElement>} */
const MARKS = {
  flag: (x, y) => svg("path", { class: "mark flag", d: `M${x - 3} ${y + 6}v-12l8 3.5-8 3.5` }),
  mine: (x, y) => svg("circle", { class: "mark mine", cx: x, cy: y, r: 4.6 }),
  city: (x, y) => svg("path", { class: "mark city", d: `M${x - 5} ${y + 4}v-6l5-4 5 4v6z` }),
  miss: (x, y) => svg("circle", { class: "mark miss", cx: x, cy: y, r: 2.6 }),
  point: (x, y) => svg("circle", { class: "mark point", cx: x, cy: y, r: 2 }),
  "stone-1": (x, y) => svg("circle", { class: "mark stone seat-1", cx: x, cy: y, r: 7.6 }),
  "stone-2": (x, y) => svg("circle", { class: "mark stone seat-2", cx: x, cy: y, r: 7.6 }),
  hit: (x, y) => svg("path", { class: "mark hit", d: `M${x - 4} ${y - 4}l8 8m0-8l-8 8` }),
};

/** @param {number} x @param {number} y @param {number} digit */
function number(x, y, digit) {
  return svg("text", { class: `n${digit}`, x, y: y + 5 }, String(digit));
}

/** @param {Scene} scene */
function draw(scene) {
  const hex = scene.shape === "hex";
  const width = (scene.columns + (hex ? 1 : 0)) * CELL;
  const height = hex ? (scene.rows * 0.87 + 0.45) * CELL : scene.rows * CELL;
  const drawing = svg("svg", { class: "mini", viewBox: `0 0 ${width} ${height.toFixed(1)}` });
  /** @type {{ group: SVGGElement, tile: SVGElement, middle: [number, number] }[]} */
  const cells = [];
  for (let y = 0; y < scene.rows; y++) {
    for (let x = 0; x < scene.columns; x++) {
      const tile = hex ? hexAt(x, y) : squareAt(x, y);
      const group = svg("g", {}, tile);
      drawing.append(group);
      cells.push({ group, tile, middle: hex ? hexMiddle(x, y) : squareMiddle(x, y) });
    }
  }
  /** @param {Change} change */
  const set = ({ cell, tile, digit = 0, mark = null }) => {
    const { group, tile: ground, middle } = cells[cell];
    group.replaceChildren(ground);
    ground.setAttribute("class", tile);
    if (digit) group.append(number(...middle, digit));
    if (mark) group.append(MARKS[mark](...middle));
  };
  const reset = () => scene.begin.forEach((tile, cell) => set({ cell, ...tile }));
  reset();
  return { drawing, set, reset };
}

/** The large board on the front page. */
const hero = () => clearedField(12, 10, [3, 8, 14, 23, 30, 41, 47, 52, 66, 71, 76, 81, 95, 100, 106, 113]);

/** @param {HTMLElement} element */
async function mount(element) {
  const { mini: name = "" } = element.dataset;
  const scene = name === "hero" ? hero() : (await loadPart(name, "mini"))?.scene();
  if (!scene) return;
  const { drawing, set, reset } = draw(scene);
  element.replaceChildren(drawing);
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  let frame = 0;
  let timer = 0;

  function step() {
    if (frame < scene.frames.length) {
      scene.frames[frame++].forEach(set);
      timer = setTimeout(step, FRAME_MS);
    } else {
      timer = setTimeout(() => {
        frame = 0;
        reset();
        timer = setTimeout(step, FRAME_MS * 3);
      }, REST_MS);
    }
  }

  function rest() {
    clearTimeout(timer);
    timer = 0;
  }

  function stand() {
    rest();
    reset();
    frame = Math.floor(scene.frames.length * 0.75);
    scene.frames.slice(0, frame).flat().forEach(set);
  }

  let seen = false;
  function settle() {
    if (still.matches) stand();
    else if (seen && !document.hidden) timer ||= setTimeout(step, FRAME_MS);
    else rest();
  }
  new IntersectionObserver(([entry]) => {
    seen = entry.isIntersecting;
    settle();
  }).observe(element);
  document.addEventListener("visibilitychange", settle);
  still.addEventListener("change", settle);
  settle();
}

/** @param {Iterable<HTMLElement>} elements */
export function startMinis(elements) {
  for (const element of elements) mount(element);
}
