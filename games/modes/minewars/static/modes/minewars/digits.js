// Computes digits from known items: other players' digits as far as the viewer can tell, and all digits once
// nothing is hidden. Headless.

import { DECOY, FLASHBANG, FULL, isLandKind, itemOf, levelOf, ownerOf } from "./codes.js";

/** The bits of digit and star. */
export const DIGIT = (15 << 20) | (1 << 24);

/**
 * The mirror of `count` in rules/digits.py for an owned tile; `open`: the digit may be higher, because a
 * neighbouring tile is unknown.
 * @param {import("./topology.js").Topology} topo
 * @param {ArrayLike<number>} tiles
 * @param {number} cell
 * @param {boolean} starFlashbangs as in the ruleset
 */
function count(topo, tiles, cell, starFlashbangs) {
  const owner = ownerOf(tiles[cell]);
  let [digit, star, open] = [0, false, false];
  for (const one of topo.neighbours[cell]) {
    const code = tiles[one];
    if (ownerOf(code) === owner) continue;
    const item = itemOf(code);
    if (item) digit += 1;
    else if (isLandKind(code) && levelOf(code) !== FULL) open = true;
    if (item === DECOY || (starFlashbangs && item === FLASHBANG)) star = true;
  }
  return { digit, star, open };
}

/**
 * Other players' digits on land in sight, as far as the viewer can tell.
 * @param {import("./topology.js").Topology} topo
 * @param {ArrayLike<number>} tiles
 * @param {number} you the viewer's empire
 * @param {boolean} starFlashbangs
 * @returns {{ cell: number, digit: number, star: boolean, open: boolean }[]}
 */
export function foreignDigits(topo, tiles, you, starFlashbangs) {
  const found = [];
  for (let cell = 0; cell < topo.size; cell++) {
    const owner = ownerOf(tiles[cell]);
    if (!owner || owner === you || !isLandKind(tiles[cell])) continue;
    found.push({ cell, ...count(topo, tiles, cell, starFlashbangs) });
  }
  return found;
}

/**
 * Fully known tiles, with the true digit on every owned one.
 * @param {import("./topology.js").Topology} topo
 * @param {ArrayLike<number>} tiles
 * @param {number[]} cities
 * @param {boolean} starFlashbangs
 */
export function withDigits(topo, tiles, cities, starFlashbangs) {
  const shown = Array.from(tiles, (code) => code & ~DIGIT);
  const towns = new Set(cities);
  for (let cell = 0; cell < topo.size; cell++) {
    if (!ownerOf(tiles[cell]) || !isLandKind(tiles[cell]) || towns.has(cell)) continue;
    const { digit, star } = count(topo, tiles, cell, starFlashbangs);
    shown[cell] |= ((digit + 1) << 20) | (star ? 1 << 24 : 0);
  }
  return shown;
}
