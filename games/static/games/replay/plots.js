// The players' figures over the whole match, under the scrubber: a plot for each figure, a line for each
// player. A press seeks; a marker follows the playhead. Tables show the figures at that moment and over the
// whole match.

import { h, setText, svg } from "site/dom.js";
import { t } from "site/i18n.js";

import { seatColours } from "../board/colours.js";
import { clockText } from "../match/time.js";
import { ceiling, short } from "../scale.js";

/** @import { Prefs } from "games/prefs.js" */
/** @import { Plot } from "games/replay/types.d.ts" */

const [WIDTH, HEIGHT] = [1000, 100];
/** Dashes, so that colour isn't the only way to tell lines apart. */
const DASHES = ["none", "7 4", "2 3", "11 3 2 3", "4 2", "1 4"];
const TOPS = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10];
const ROWS = 12; // rows in the table of the whole match

/** The value of a line at a time: between two points the earlier, or on the straight line. @param {Plot} plot @param {number} which @param {number} time */
export function valueAt({ lines, steps }, which, time) {
  const { points } = lines[which];
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle][0] <= time) low = middle + 1;
    else high = middle;
  }
  const [before, after] = [points[Math.max(0, low - 1)], points[low]];
  if (steps || !after || low === 0) return before[1];
  return before[1] + ((after[1] - before[1]) * (time - before[0])) / (after[0] - before[0]);
}

/**
 * @param {{ drawings: HTMLElement, tables: HTMLElement }} places
 * @param {{ plots: Plot[], duration: number, prefs: Prefs, seek: (time: number) => void }} options
 */
export function createPlots(places, { plots, duration, prefs, seek }) {
  const colours = seatColours(prefs);
  const [first] = plots;
  const markers = plots.map(() => svg("line", { class: "plot-marker", y1: 0, y2: HEIGHT }));
  const x = (/** @type {number} */ time) => (time / Math.max(1, duration)) * WIDTH;

  /** @param {Plot} plot @param {number} which */
  function draw({ title, lines, steps }, which) {
    const most = Math.max(...lines.flatMap(({ points }) => points.map(([, value]) => value)));
    const top = ceiling(most, TOPS);
    const y = (/** @type {number} */ value) => (HEIGHT - 2 - (value / top) * (HEIGHT - 4)).toFixed(1);
    const paths = lines.map(({ points, seat }) => {
      const d = points.map(([time, value], i) => {
        if (!i) return `M${x(time).toFixed(1)} ${y(value)}`;
        return steps ? `H${x(time).toFixed(1)}V${y(value)}` : `L${x(time).toFixed(1)} ${y(value)}`;
      });
      const path = svg("path", { class: "plot-line", d: `${d.join("")}H${WIDTH}` });
      path.style.stroke = colours[seat % colours.length];
      path.style.strokeDasharray = DASHES[seat % DASHES.length];
      return path;
    });
    const ends = lines.map(({ name }, i) => `${name} ${short(valueAt(plots[which], i, duration))}`);
    const label = t("{title} over time; at the end {figures}", { title, figures: ends.join(", ") });
    const box = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img", "aria-label": label };
    const middle = svg("line", { class: "plot-grid", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 });
    return h(
      "div.plot",
      {},
      h("span.plot-title", { "aria-hidden": "true" }, title),
      h("span.plot-top", { "aria-hidden": "true" }, short(top)),
      svg("svg", box, middle, ...paths, markers[which]),
    );
  }

  /** @param {number} seat */
  function sample(seat) {
    const line = svg("line", { class: "plot-line", x1: 0, x2: 28, y1: 5, y2: 5 });
    line.style.stroke = colours[seat % colours.length];
    line.style.strokeDasharray = DASHES[seat % DASHES.length];
    return svg("svg", { class: "plot-sample", viewBox: "0 0 28 10", "aria-hidden": "true" }, line);
  }

  const head = () => h("tr", {}, h("td"), ...plots.map(({ title }) => h("th", { scope: "col" }, title)));
  const cells = first.lines.map(() => plots.map(() => h("td")));
  const now = h(
    "table.plot-now",
    { "aria-label": t("At this moment") },
    h("thead", {}, head()),
    h(
      "tbody",
      {},
      first.lines.map(({ name, seat }, i) =>
        h("tr", {}, h("th", { scope: "row" }, h("span.plot-name", {}, sample(seat), h("span", {}, name))), ...cells[i]),
      ),
    ),
  );

  /** A table of all figures at a dozen moments, built on demand. */
  function table() {
    const names = first.lines.map(({ name }) => h("th", { scope: "col" }, name));
    const groups = plots.map(({ title, lines }) => h("th", { scope: "colgroup", colSpan: lines.length }, title));
    const rows = Array.from({ length: ROWS + 1 }, (_, i) => (duration * i) / ROWS).map((time) =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, clockText(time)),
        ...plots.flatMap((plot) =>
          plot.lines.map((_, i) => h("td", {}, Math.round(valueAt(plot, i, time)).toLocaleString())),
        ),
      ),
    );
    return h(
      "table.plot-all",
      {},
      h(
        "thead",
        {},
        h("tr", {}, h("td"), groups),
        h("tr", {}, h("td"), ...plots.flatMap(() => names.map((one) => one.cloneNode(true)))),
      ),
      h("tbody", {}, rows),
    );
  }

  const { drawings, tables } = places;
  drawings.replaceChildren(...plots.map(draw));
  const all = h("details.plot-details", {}, h("summary", {}, t("The whole match as a table")));
  all.addEventListener("toggle", () => all.open && all.children.length === 1 && all.append(table()));

  /** @param {PointerEvent} event */
  function go(event) {
    const box = drawings.getBoundingClientRect();
    seek(Math.max(0, Math.min(1, (event.clientX - box.x) / box.width)) * duration);
  }
  drawings.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    drawings.setPointerCapture(event.pointerId);
    go(event);
  });
  drawings.addEventListener("pointermove", (event) => drawings.hasPointerCapture(event.pointerId) && go(event));

  tables.replaceChildren(now, all);
  drawings.hidden = tables.hidden = false;
  return {
    /** @param {number} time */
    show(time) {
      for (const marker of markers) {
        marker.setAttribute("x1", x(time).toFixed(1));
        marker.setAttribute("x2", x(time).toFixed(1));
      }
      cells.forEach((row, i) =>
        row.forEach((cell, which) => setText(cell, Math.round(valueAt(plots[which], i, time)).toLocaleString())),
      );
    },
  };
}
