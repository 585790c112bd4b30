// What the map shows of a view; at the end everything, with the viewer's own digits and flags.

const IN_SIGHT = 1 << 3;
/** The bits of digit, star and flag. */
const OWN = (15 << 20) | (1 << 24) | (1 << 28);

/** @param {any} view @returns {import("./board.js").Picture} */
export function picture({ game, options, truth, phase }) {
  const { cities, empires, empire } = game;
  // Before it begins nobody sees more than the ground: fog would only take its colours away.
  if (phase === "setup") {
    const tiles = game.tiles.map((/** @type {number} */ code) => code | IN_SIGHT);
    return { topology: options.topology, radius: options.radius, tiles, cities, empires, empire };
  }
  const tiles = truth
    ? truth.tiles.map((/** @type {number} */ code, /** @type {number} */ cell) => code | (game.tiles[cell] & OWN))
    : game.tiles;
  return { topology: options.topology, radius: options.radius, tiles, cities, empires, empire };
}
