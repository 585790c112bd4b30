// How visible a colour is on the board, and how different from another. Colours are "#rrggbb".

// The open tile in the light and the dark theme (site/tokens.css).
/** @type {Record<string, string>} */
export const BOARDS = { light: "#f8f5ee", dark: "#172022" };
export const ENOUGH = 3; // WCAG's minimum for non-text content
export const APART = 20; // distance in CIE Lab; below it two areas are hard to tell apart

/** @param {string} colour */
const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16) / 255);
/** @param {string} colour */
const linear = (colour) => channels(colour).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));

/** @param {string} colour */
export function luminance(colour) {
  const [r, g, b] = linear(colour);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

/**
 * WCAG's ratio, 1 to 21.
 * @param {string} one
 * @param {string} other
 */
export function contrast(one, other) {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** @param {string} colour */
function lab(colour) {
  const [r, g, b] = linear(colour);
  /** @param {number} x */
  const curve = (x) => (x > 0.008856 ? Math.cbrt(x) : 7.787 * x + 16 / 116);
  const x = curve((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const y = curve(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = curve((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** @param {string} one @param {string} other */
export function distance(one, other) {
  const [a, b] = [lab(one), lab(other)];
  return Math.hypot(...a.map((value, i) => value - b[i]));
}

/**
 * The problems with the colour of seat `seat` (from 0) among `colours`: a list of "light", "dark" (hard to
 * see on that board) and numbers of seats with nearly the same colour.
 * @param {string[]} colours
 * @param {number} seat
 * @returns {(string | number)[]}
 */
export function troubles(colours, seat) {
  const boards = Object.keys(BOARDS).filter((name) => contrast(colours[seat], BOARDS[name]) < ENOUGH);
  const twins = colours.map((_, i) => i).filter((i) => i !== seat && distance(colours[i], colours[seat]) < APART);
  return [...boards, ...twins];
}
