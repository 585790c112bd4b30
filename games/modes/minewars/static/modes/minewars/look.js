// The colours of the map, read from the page's styles: the light or dark theme, and the viewer's choice of
// player colours.

import { readColours } from "games/board/colours.js";
import { h } from "site/dom.js";

/** @typedef {[number, number, number]} Rgb */
/**
 * @typedef {object} Look
 * @property {any} colours of the site (board/colours.js)
 * @property {Rgb[]} kinds ground in sight, by kind
 * @property {Rgb[]} fog ground in fog, by kind
 * @property {string} ink @property {string} paper @property {string} sea @property {string} veil
 * @property {(empire: number) => { rgb: Rgb, css: string, pattern: string }} empire
 * @property {number} you the viewer's empire, 0 for none
 * @property {boolean} patterns
 */

const KINDS = ["water", "land", "fertile", "destroyed", "foundation", "mountain", "forest"];
const OTHERS = ["fog", "ink", "paper", "veil"];

/** "rgb(1, 2, 3)" or "color(srgb …)" -> its parts. @param {string} css @returns {Rgb} */
export function parse(css) {
  const parts = (css.match(/[\d.]+(e-?\d+)?/g) ?? ["0", "0", "0"]).slice(0, 3).map(Number);
  const [r, g, b] = css.startsWith("color(") ? parts.map((part) => part * 255) : parts;
  return [r, g, b];
}

/** @param {Rgb} a @param {Rgb} b @param {number} share of b @returns {Rgb} */
export const mix = (a, b, share) => {
  const part = (/** @type {0 | 1 | 2} */ i) => Math.round(a[i] + (b[i] - a[i]) * share);
  return [part(0), part(1), part(2)];
};

/** @param {Rgb} rgb @param {number} alpha */
export const css = ([r, g, b], alpha = 1) => (alpha === 1 ? `rgb(${r} ${g} ${b})` : `rgb(${r} ${g} ${b} / ${alpha})`);

/** @param {Rgb} rgb @returns {Rgb} */
function grey([r, g, b]) {
  const light = Math.round(0.3 * r + 0.59 * g + 0.11 * b);
  return [light, light, light];
}

/**
 * @param {HTMLElement} element the board, whose style has the colours
 * @param {Record<string, any>} prefs
 * @param {number[][]} empires the seats of each empire
 * @param {number} you
 * @returns {Look}
 */
export function readLook(element, prefs, empires, you) {
  const names = [...KINDS, ...OTHERS];
  const probes = h(
    "div",
    { hidden: true },
    names.map((name) => {
      const probe = h("i");
      probe.style.color = `var(--war-${name})`;
      return probe;
    }),
  );
  element.append(probes);
  const found = names.map((name, i) => [name, getComputedStyle(probes.children[i]).color]);
  probes.remove();
  /** @type {Record<string, string>} */
  const own = Object.fromEntries(found);
  const colours = readColours(prefs);
  const kinds = KINDS.map((name) => parse(own[name]));
  const mist = parse(own.fog);
  const seatOf = (/** @type {number} */ empire) => (empires[empire - 1]?.[0] ?? empire - 1) % colours.seats.length;
  /** @type {Map<number, { rgb: Rgb, css: string, pattern: string }>} */
  const known = new Map();
  return {
    colours,
    kinds,
    fog: kinds.map((rgb) => mix(grey(rgb), mist, 0.55)),
    ink: own.ink,
    paper: own.paper,
    veil: own.veil,
    sea: css(mix(kinds[0], mist, 0.25)),
    empire(empire) {
      let found = known.get(empire);
      if (!found) {
        const seat = seatOf(empire);
        found = { rgb: parse(colours.seats[seat]), css: colours.seats[seat], pattern: colours.patterns[seat] };
        known.set(empire, found);
      }
      return found;
    },
    you,
    patterns: prefs.patterns !== false,
  };
}
