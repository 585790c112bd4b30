// Small drawings on a square of 24, as the `d` of a path: for buttons (SVG) and tiles (Path2D).

import { svg } from "site/dom.js";

/** A disc. @param {number} x @param {number} y @param {number} r */
const disc = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

/** @type {Record<string, string>} */
export const PATHS = {
  capture: "M4 3l15 7-6.2 2.3L17 18.5l-2.8 1.8-4-6.2L6 18z",
  strike: `${disc(12, 12, 3)}M11 1h2v6h-2zM11 17h2v6h-2zM1 11h6v2H1zM17 11h6v2h-6z`,
  mine: `${disc(12, 13, 7)}M11 2h2v6h-2zM3 12h4v2H3zM17 12h4v2h-4zM11 18h2v4h-2zM4.8 6.2l1.4-1.4 3 3-1.4 1.4zM17.8 4.8l1.4 1.4-3 3-1.4-1.4z`,
  decoy: "M12 2l8.5 5v10L12 22l-8.5-5V7zM12 5.2L6.3 8.5v7L12 18.8l5.7-3.3v-7zM12 9l3 1.7v3.2L12 15.7 9 13.9v-3.2z",
  flashbang: "M13.5 1L4 14h6l-1.5 9L19 9.5h-6.5z",
  smoke: `${disc(8, 14, 5)}${disc(15, 15, 5)}${disc(12, 8.5, 4.5)}`,
  reveal:
    "M12 5C6.5 5 2.5 9 1 12c1.5 3 5.5 7 11 7s9.5-4 11-7c-1.5-3-5.5-7-11-7zm0 3a4 4 0 1 1 0 8 4 4 0 0 1 0-8zm0 2.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6z",
  road: "M9 2h6l4 20H5zM11.3 4v4h1.4V4zM11.2 10v4h1.6v-4zM11 16v4.5h2V16z",
  tower: "M6 2h3v2.5h1.5V2h3v2.5H15V2h3v7l-2 1.5V20h2v2H6v-2h2v-9.5L6 9zM11 13v4h2v-4z",
  barricade: "M2 8h20v4H2zM2 14h20v4H2zM5 4h3v18H5zM16 4h3v18h-3z",
  bridge: "M1 9h22v3H1zM3 12h3v7H3zM18 12h3v7h-3zM6 17c0-4 3-5 6-5s6 1 6 5h-2.2c0-2-1.8-2.8-3.8-2.8S8.2 15 8.2 17z",
  harvest: "M4 20C4 10 9 4 20 3c-1 8-4 11-8 11 2-3 3-5 4.5-7.5C12 9 8 13 6.5 20.5z",
  clear: "M9 2h6v2h5v2.5H4V4h5zM5.5 8h13l-1.2 14H6.7zM9 10.5v9h1.8v-9zM13.2 10.5v9H15v-9z",
  flag: "M6 2h2v1l11 4.5L8 12v10H6z",
  ping: `${disc(12, 12, 3.2)}M12 1a11 11 0 1 1 0 22 11 11 0 0 1 0-22zm0 2.4a8.6 8.6 0 1 0 0 17.2 8.6 8.6 0 0 0 0-17.2z`,
  skull:
    "M12 2a8.5 8.5 0 0 0-5 15.3V21h2.3v-2h1.4v2h2.6v-2h1.4v2H17v-3.7A8.5 8.5 0 0 0 12 2zM8.5 9a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4zm7 0a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 0-4.4z",
  city: "M2 22V11l5-3v3l5-3.5V5l3-3 3 3v5h4v12h-6v-4h-3v4z",
  shield: "M12 2l8 3v6c0 5.5-3.5 9-8 11-4.5-2-8-5.5-8-11V5z",
  mountain: "M1 21L9 6l3.5 6L15 8l8 13z",
  forest: "M12 1l5 7h-2.5l4 5.5H15l4.5 5.5h-6v4h-3v-4h-6L9 13.5H5.5l4-5.5H7z",
};

/** A drawing for a button. @param {string} name */
export const drawing = (name) =>
  svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: PATHS[name] }));

/** @type {Map<string, Path2D>} */
const made = new Map();

/**
 * Fill a drawing around the middle of a tile.
 * @param {CanvasRenderingContext2D} ctx
 * @param {string} name
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {string} colour
 * @param {string} [halo]
 */
export function stamp(ctx, name, x, y, size, colour, halo) {
  let path = made.get(name);
  if (!path) made.set(name, (path = new Path2D(PATHS[name])));
  ctx.save();
  ctx.translate(x - size / 2, y - size / 2);
  ctx.scale(size / 24, size / 24);
  if (halo) {
    ctx.strokeStyle = halo;
    ctx.lineWidth = 4;
    ctx.lineJoin = "round";
    ctx.stroke(path);
  }
  ctx.fillStyle = colour;
  ctx.fill(path, "evenodd");
  ctx.restore();
}
