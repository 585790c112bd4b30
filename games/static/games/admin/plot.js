// A plot of one or more lines over time, drawn as SVG. Independent of the data it shows.

import { svg as make } from "site/dom.js";

import { ceiling, short } from "../scale.js";

const HEIGHT = 130,
  LEFT = 34,
  RIGHT = 6,
  TOP = 8,
  BOTTOM = 18;

/**
 * Runs of known values: [[index, value], ...] each. Missing values leave a gap in the line.
 * @param {(number | null)[]} values
 */
export function runs(values) {
  /** @type {[number, number][][]} */
  const found = [];
  /** @type {[number, number][]} */
  let run = [];
  values.forEach((value, index) => {
    if (value === null) {
      if (run.length) found.push(run);
      run = [];
    } else run.push([index, value]);
  });
  if (run.length) found.push(run);
  return found;
}

/** @param {number} seconds */
const clock = (seconds) => new Date(seconds * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

/**
 * Draws `lines` ([{ name, values }]) into `svg`; `first` and `step` are in seconds.
 * @param {SVGSVGElement} svg
 * @param {{ lines: { name: string, values: (number | null)[] }[], first: number, step: number, unit?: string }} plot
 */
export function draw(svg, { lines, first, step, unit = "" }) {
  const width = Math.max(200, Math.round(svg.getBoundingClientRect().width));
  const number = lines[0].values.length;
  const known = lines.flatMap((line) => line.values.filter((value) => value !== null));
  const top = ceiling(Math.max(0, ...known));
  /** @param {number} index */
  const x = (index) => LEFT + (index / Math.max(1, number - 1)) * (width - LEFT - RIGHT);
  /** @param {number} value */
  const y = (value) => TOP + (1 - value / top) * (HEIGHT - TOP - BOTTOM);
  const parts = [];
  for (const share of [0, 0.5, 1]) {
    const at = y(top * share);
    parts.push(make("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: at, y2: at }));
    parts.push(make("text", { x: LEFT - 5, y: at + 3, "text-anchor": "end" }, short(top * share)));
  }
  for (const share of [0, 0.5, 1]) {
    const anchor = ["start", "middle", "end"][share * 2];
    const at = LEFT + share * (width - LEFT - RIGHT);
    parts.push(
      make("text", { x: at, y: HEIGHT - 4, "text-anchor": anchor }, clock(first + share * (number - 1) * step)),
    );
  }
  lines.forEach(({ values }, place) => {
    for (const run of runs(values)) {
      const points = run.map(([index, value]) => `${x(index).toFixed(1)} ${y(value).toFixed(1)}`);
      if (place === 0 && run.length > 1) {
        const floor = y(0);
        parts.push(
          make("path", {
            class: "area",
            d: `M${x(run[0][0])} ${floor}L${points.join("L")}L${x(run[run.length - 1][0])} ${floor}Z`,
          }),
        );
      }
      // A single point has no length: draw a short stroke to make it visible.
      parts.push(make("path", { class: `l${place + 1}`, d: `M${points.join("L")}${run.length > 1 ? "" : "h1.5"}` }));
    }
  });
  svg.setAttribute("viewBox", `0 0 ${width} ${HEIGHT}`);
  svg.setAttribute(
    "aria-label",
    lines.map(({ name, values }) => `${name}: ${short(values.findLast((value) => value !== null))} ${unit}`).join(", "),
  );
  svg.replaceChildren(...parts);
}
