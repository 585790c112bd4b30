// A small island with the rules of capture, for the lesson. It needs no server, because nothing is at stake.

import { FOUNDATION, FULL, LAND, LIMITED, WATER } from "./codes.js";
import { createTopology } from "./topology.js";

const RADIUS = 4;
const YOU = 1;

/** @typedef {"taken" | "mine" | "sold" | "far" | "flagged" | "own" | "no"} Outcome the result of a capture */

/**
 * @param {{ cities: [number, number][], mines: [number, number][], water: [number, number][] }} island in axial
 *   coordinates; the first city is the learner's
 */
export function createPractice({ cities: towns, mines, water }) {
  const topo = createTopology("hex", RADIUS);
  const cellsOf = (/** @type {[number, number][]} */ spots) => spots.map(([x, y]) => topo.at(x, y));
  const cities = cellsOf(towns);
  const mined = new Set(cellsOf(mines));
  /** @type {Set<number>} */
  const flags = new Set();
  const kinds = Array(topo.size).fill(LAND);
  for (const cell of cellsOf(water)) kinds[cell] = WATER;
  for (const cell of cities) kinds[cell] = FOUNDATION;
  const owners = Array(topo.size).fill(0);
  for (const cell of [cities[0], ...topo.neighbours[cities[0]]]) owners[cell] = YOU;

  const isLand = (/** @type {number} */ cell) => kinds[cell] !== WATER && !cities.includes(cell);
  const isOwn = (/** @type {number} */ cell) => owners[cell] === YOU;
  const digit = (/** @type {number} */ cell) =>
    topo.neighbours[cell].filter((other) => mined.has(other) && !isOwn(other)).length;

  /** A tile's code, as the learner sees it. @param {number} cell */
  function code(cell) {
    const own = isOwn(cell);
    const shown = own && isLand(cell) ? (digit(cell) + 1) << 20 : 0;
    const level = own || cities.includes(cell) ? FULL : LIMITED;
    return kinds[cell] | (level << 3) | (owners[cell] << 5) | shown | (flags.has(cell) ? 1 << 28 : 0);
  }

  /** Expand through known empty land, around the flags. */
  function expand() {
    const zeros = [...kinds.keys()].filter((cell) => isOwn(cell) && isLand(cell) && !digit(cell));
    for (const zero of zeros) {
      for (const cell of topo.neighbours[zero]) {
        if (isOwn(cell) || !isLand(cell) || flags.has(cell)) continue;
        owners[cell] = YOU;
        if (!digit(cell)) zeros.push(cell);
      }
    }
  }

  /** Sell each group of mines whose surrounding land is all the learner's, and capture its tiles. */
  function sell() {
    const left = new Set([...mined].filter((cell) => !isOwn(cell)));
    let sold = 0;
    for (const first of left) {
      const group = [first];
      left.delete(first);
      for (const cell of group) for (const other of topo.neighbours[cell]) if (left.delete(other)) group.push(other);
      const rim = group
        .flatMap((cell) => topo.neighbours[cell])
        .filter((cell) => isLand(cell) && !group.includes(cell));
      if (!rim.every(isOwn)) continue;
      sold += group.length;
      for (const cell of group) {
        mined.delete(cell);
        flags.delete(cell);
        owners[cell] = YOU;
      }
      expand();
    }
    return sold;
  }

  return {
    topo,
    cities,
    digit,
    isOwn,
    radius: RADIUS,
    isMined: (/** @type {number} */ cell) => mined.has(cell),
    isFlagged: (/** @type {number} */ cell) => flags.has(cell),
    codes: () => kinds.map((_, cell) => code(cell)),
    regions: () => kinds.map((kind) => (kind === WATER ? "." : "a")).join(""),

    /** @param {number} cell @returns {Outcome} */
    capture(cell) {
      if (isOwn(cell)) return "own";
      if (!isLand(cell)) return "no";
      if (!topo.neighbours[cell].some(isOwn)) return "far";
      if (flags.has(cell)) return "flagged";
      if (mined.has(cell)) return "mine";
      owners[cell] = YOU;
      expand();
      return sell() ? "sold" : "taken";
    },

    /** @param {number} cell */
    flag(cell) {
      if (isOwn(cell) || !isLand(cell)) return;
      if (!flags.delete(cell)) flags.add(cell);
    },

    /** Land around a city that the learner does not hold yet. @param {number} city */
    besides: (city) => topo.neighbours[cities[city]].filter((cell) => isLand(cell) && !isOwn(cell)),
    /** @param {number} city */
    take(city) {
      owners[cities[city]] = YOU;
    },
  };
}
