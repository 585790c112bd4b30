// The parts of a view that the map shows; after the match everything, with the viewer's own flags.

import { withDigits } from "./digits.js";
import { createTopology } from "./topology.js";

const IN_SIGHT = 1 << 3;
const FLAG = 1 << 28;

/** Whether a flashbang counts for the star: it did before views named the rules. @param {any} game */
export const starsFlashbangs = ({ rules }) => (rules ? Boolean(rules.star_flashbangs) : true);

/** @param {any} view @returns {import("./board.js").Picture} */
export function picture({ game, options, truth, phase }) {
  const { cities, empires, empire } = game;
  const { topology, radius } = options;
  /** @type {number[]} */
  let tiles = game.tiles;
  // Before the start everybody sees just the ground, and fog would only dull its colours.
  if (phase === "setup") tiles = tiles.map((code) => code | IN_SIGHT);
  else if (truth) {
    const all = withDigits(createTopology(topology, radius), truth.tiles, cities, starsFlashbangs(game));
    tiles = all.map((code, cell) => code | (game.tiles[cell] & FLAG));
  }
  return { topology, radius, tiles, cities, empires, empire };
}
