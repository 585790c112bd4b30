// What the others' digits would be, from what the viewer knows. Headless.

import { DECOY, FLASHBANG, FULL, isLandKind, itemOf, levelOf, ownerOf } from "./codes.js";

/**
 * The mirror of `count` in rules/digits.py for land of other empires in sight; `open`: there may be more, because
 * a tile around it is not known.
 * @param {import("./topology.js").Topology} topo
 * @param {ArrayLike<number>} tiles
 * @param {number} you the viewer's empire
 * @param {boolean} starFlashbangs as in the ruleset
 * @returns {{ cell: number, digit: number, star: boolean, open: boolean }[]}
 */
export function foreignDigits(topo, tiles, you, starFlashbangs) {
  const found = [];
  const starred = starFlashbangs ? [DECOY, FLASHBANG] : [DECOY];
  for (let cell = 0; cell < topo.size; cell++) {
    const owner = ownerOf(tiles[cell]);
    if (!owner || owner === you || !isLandKind(tiles[cell])) continue;
    const around = topo.neighbours[cell].map((one) => tiles[one]).filter((code) => ownerOf(code) !== owner);
    const items = around.map(itemOf).filter(Boolean);
    const open = around.some((code) => isLandKind(code) && levelOf(code) !== FULL && !itemOf(code));
    found.push({ cell, digit: items.length, star: starred.some((item) => items.includes(item)), open });
  }
  return found;
}
