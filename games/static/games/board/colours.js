// The colours of the board, from the page's custom properties, and the colour and pattern that the viewer
// chose for each seat. Canvas can't read `light-dark()`, so a probe element resolves it.

import { h } from "site/dom.js";

/** @import { Colours } from "games/board/types.d.ts" */
/** @import { Prefs } from "games/prefs.js" */

/**
 * Seat colours per palette. `site` is the page's own; the others are distinct for colour-blind people.
 * @type {Record<string, string[]>}
 */
export const PALETTES = {
  site: Array.from({ length: 6 }, (_, i) => `var(--seat-${i + 1})`),
  // Okabe and Ito's colours, which are distinct with every common kind of colour blindness.
  safe: [
    "light-dark(#0072b2, #56b4e9)",
    "light-dark(#d55e00, #f0883e)",
    "light-dark(#8a5a83, #d79bc5)",
    "light-dark(#9a7400, #f0e442)",
    "light-dark(#00795a, #2fc79b)",
    "light-dark(#3c3c3c, #d0d0d0)",
  ],
  // Blue against yellow, in steps of lightness, for people who can't see green.
  deuteranopia: [
    "light-dark(#005ab5, #62a8ff)",
    "light-dark(#c98a00, #ffc20a)",
    "light-dark(#5b2a86, #c9a3ee)",
    "light-dark(#8a8a8a, #b9b9b9)",
    "light-dark(#0b2545, #a9d6ff)",
    "light-dark(#6b4a00, #fff0b3)",
  ],
  // The same with brighter warm colours, because reds look dark to people who can't see red.
  protanopia: [
    "light-dark(#0c4fa3, #6fb1ff)",
    "light-dark(#b88a00, #ffd54a)",
    "light-dark(#2e8ba8, #8fe3f5)",
    "light-dark(#777777, #c4c4c4)",
    "light-dark(#3d2a78, #b7a6ff)",
    "light-dark(#5c5200, #f4efb0)",
  ],
  // Red against cyan, for people who can't see blue.
  tritanopia: [
    "light-dark(#b3123a, #ff7a94)",
    "light-dark(#00808a, #4fd8e0)",
    "light-dark(#5a5a5a, #cfcfcf)",
    "light-dark(#e0567a, #ffc0cd)",
    "light-dark(#003b40, #b5f3f7)",
    "light-dark(#6e0a22, #d94f6c)",
  ],
  // Blue to yellow and light to dark, without any red or green.
  contrast: [
    "light-dark(#0b3d91, #8ab6ff)",
    "light-dark(#b35900, #ffc266)",
    "light-dark(#4d4d4d, #ffffff)",
    "light-dark(#7b1fa2, #d9a6ff)",
    "light-dark(#00695c, #7fe0d2)",
    "light-dark(#827717, #e6e68a)",
  ],
  // Greys only: the patterns tell players apart.
  grey: [
    "light-dark(#262626, #f2f2f2)",
    "light-dark(#595959, #c4c4c4)",
    "light-dark(#8c8c8c, #8f8f8f)",
    "light-dark(#b0b0b0, #666666)",
    "light-dark(#404040, #dadada)",
    "light-dark(#737373, #a8a8a8)",
  ],
};

const NAMES = [
  "paper",
  "surface",
  "sunken",
  "line",
  "line-strong",
  "ink",
  "ink-soft",
  "pine",
  "pine-soft",
  "flag",
  "amber",
  "sky",
];
const BOARD = ["tile", "tile-edge", "tile-hover", "tile-open", "tile-line", "mine"];

const SEATS = [1, 2, 3, 4, 5, 6];
const PATTERNS = ["rising", "dots", "level", "falling", "upright", "grid"];

/**
 * The colours that the viewer chose for the seats, in CSS.
 * @param {Partial<Prefs>} prefs
 * @returns {string[]}
 */
export function seatColours(prefs) {
  if (prefs.palette === "own") return SEATS.map((n) => Reflect.get(prefs, `colour_${n}`));
  return PALETTES[prefs.palette ?? "site"] ?? PALETTES.site;
}

/**
 * { name: any CSS colour } -> { name: the resolved colour }. In one go, so that the browser computes the
 * page's styles once, not for each colour.
 * @param {Record<string, string>} values
 * @returns {Record<string, string>}
 */
function resolved(values) {
  /** @param {string} colour */
  const probe = (colour) => {
    const made = h("i");
    made.style.color = colour;
    return made;
  };
  const probes = h("div", { hidden: true }, Object.values(values).map(probe));
  document.body.append(probes);
  const found = Object.keys(values).map((name, i) => [name, getComputedStyle(probes.children[i]).color]);
  probes.remove();
  return Object.fromEntries(found);
}

const DIGITS = [1, 2, 3, 4, 5, 6, 7, 8];

/**
 * `prefs` as in games/prefs.js: palette, colour_1 …, pattern_1 …
 * @param {Partial<Prefs>} [prefs]
 * @returns {Colours}
 */
export function readColours(prefs = {}) {
  /** @type {Record<string, string>} */
  const values = {
    sea: "var(--sea, light-dark(#cfe3ee, #16323f))",
    seaLine: "var(--sea-line, light-dark(#b7d1e0, #214655))",
    hull: "light-dark(#2f5d7c, #7fb0cf)",
    hullEdge: "light-dark(#1d425b, #b7d8ea)",
    sunk: "light-dark(#7d2f1d, #c65a3f)",
    light: "light-dark(#ffffff8c, #ffffff1f)",
  };
  for (const name of [...NAMES, ...BOARD, ...DIGITS.map((n) => `n${n}`)]) values[name] = `var(--${name})`;
  const seats = seatColours(prefs);
  seats.forEach((seat, i) => {
    values[`seat ${i}`] = seat;
    values[`owned ${i}`] = `color-mix(in srgb, ${seat} 17%, var(--tile-open))`;
    values[`theirs ${i}`] = `color-mix(in srgb, ${seat} 46%, var(--tile-open))`;
  });
  const colours = resolved(values);
  return /** @type {Colours} */ ({
    ...colours,
    numbers: ["transparent", ...DIGITS.map((n) => colours[`n${n}`])],
    seats: seats.map((_, i) => colours[`seat ${i}`]),
    owned: seats.map((_, i) => colours[`owned ${i}`]),
    theirs: seats.map((_, i) => colours[`theirs ${i}`]),
    patterns: SEATS.map((n) => Reflect.get(prefs, `pattern_${n}`) ?? PATTERNS[n - 1]),
    display: getComputedStyle(document.documentElement).getPropertyValue("--display") || "sans-serif",
  });
}

/**
 * Calls `changed` when the page turns light or dark. Returns a function that stops it.
 * @param {() => void} changed
 */
export function watchTheme(changed) {
  const observer = new MutationObserver(changed);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  const media = matchMedia("(prefers-color-scheme: dark)");
  media.addEventListener("change", changed);
  return () => {
    observer.disconnect();
    media.removeEventListener("change", changed);
  };
}

/**
 * A pattern (colours.patterns[seat]) in a square of `size`, continuous from cell to cell.
 * @param {CanvasRenderingContext2D} ctx
 * @param {string} pattern
 * @param {number} size
 * @param {string} colour
 */
export function hatch(ctx, pattern, size, colour) {
  ctx.save();
  ctx.beginPath();
  ctx.rect(0, 0, size, size);
  ctx.clip();
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  ctx.globalAlpha = 0.6;
  ctx.lineWidth = Math.max(1, size / 12);
  const half = size / 2;
  /** @param {number} x1 @param {number} y1 @param {number} x2 @param {number} y2 */
  const line = (x1, y1, x2, y2) => {
    ctx.beginPath();
    ctx.moveTo(x1, y1);
    ctx.lineTo(x2, y2);
    ctx.stroke();
  };
  const draw = [
    () => [-half, 0, half, size].forEach((x) => line(x, size, x + size, 0)),
    () => {
      for (const [x, y] of [
        [0.25, 0.25],
        [0.75, 0.75],
      ]) {
        ctx.beginPath();
        ctx.arc(x * size, y * size, Math.max(0.8, size / 11), 0, 7);
        ctx.fill();
      }
    },
    () => [0.25, 0.75].forEach((y) => line(0, y * size, size, y * size)),
    () => [-half, 0, half, size].forEach((x) => line(x, 0, x + size, size)),
    () => [0.25, 0.75].forEach((x) => line(x * size, 0, x * size, size)),
    () => [0.5].forEach((at) => (line(at * size, 0, at * size, size), line(0, at * size, size, at * size))),
  ];
  draw[Math.max(0, PATTERNS.indexOf(pattern))]();
  ctx.restore();
}
