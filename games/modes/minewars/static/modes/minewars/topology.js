// The mirror of rules/topology.py: the hexagonal and the square map behind one interface.

/**
 * @typedef {object} Topology
 * @property {boolean} hexagonal
 * @property {number} radius
 * @property {number} size how many cells there are
 * @property {number} middle the cell in the middle
 * @property {Int16Array} xs axial q, or columns
 * @property {Int16Array} ys axial r, or rows
 * @property {number[][]} ring per cell its neighbours in circular order, -1 outside the map
 * @property {number[][]} neighbours per cell all adjacent cells
 * @property {number[][]} sides per cell those that join a cluster: four of the eight on squares
 * @property {(x: number, y: number) => number} at the cell at these coordinates, -1 outside
 * @property {(a: number, b: number) => number} distance steps between two cells
 * @property {(cell: number, radius: number) => number[]} disc all cells within this distance
 * @property {(cell: number) => [number, number][]} opposites pairs of sides across the cell
 */

const HEX_RING = [
  [1, 0],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [0, -1],
  [1, -1],
];
const SQUARE_RING = [
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
];

/** @param {boolean} hexagonal @param {number} radius @returns {[number, number][]} */
function coordinates(hexagonal, radius) {
  /** @type {[number, number][]} */
  const found = [];
  if (hexagonal) {
    for (let r = -radius; r <= radius; r++) {
      const last = Math.min(radius, -r + radius);
      for (let q = Math.max(-radius, -r - radius); q <= last; q++) found.push([q, r]);
    }
  } else {
    const side = 2 * radius + 1;
    for (let y = 0; y < side; y++) for (let x = 0; x < side; x++) found.push([x, y]);
  }
  return found;
}

/** Cache: a page needs only a few topologies, and all its parts share them. @type {Map<string, Topology>} */
const made = new Map();

/**
 * @param {string} name "hex" or "square"
 * @param {number} radius
 * @returns {Topology}
 */
export function createTopology(name, radius) {
  const key = `${name} ${radius}`;
  const found = made.get(key) ?? make(name, radius);
  made.set(key, found);
  return found;
}

/** @param {string} name @param {number} radius @returns {Topology} */
function make(name, radius) {
  const hexagonal = name === "hex";
  const coords = coordinates(hexagonal, radius);
  const size = coords.length;
  const side = 2 * radius + 1;
  const offset = hexagonal ? radius : 0;
  const cells = new Int32Array(side * side).fill(-1);
  coords.forEach(([x, y], cell) => (cells[(y + offset) * side + x + offset] = cell));
  const at = (/** @type {number} */ x, /** @type {number} */ y) => {
    const [column, row] = [x + offset, y + offset];
    return column < 0 || row < 0 || column >= side || row >= side ? -1 : cells[row * side + column];
  };
  const steps = hexagonal ? HEX_RING : SQUARE_RING;
  const ring = coords.map(([x, y]) => steps.map(([dx, dy]) => at(x + dx, y + dy)));
  const there = (/** @type {number} */ cell) => cell >= 0;
  const neighbours = ring.map((around) => around.filter(there));
  const sideStep = hexagonal ? 1 : 2;
  const sides = hexagonal ? neighbours : ring.map((around) => around.filter((cell, i) => i % 2 === 0 && cell >= 0));
  const xs = Int16Array.from(coords, ([x]) => x);
  const ys = Int16Array.from(coords, ([, y]) => y);

  return {
    hexagonal,
    radius,
    size,
    middle: hexagonal ? at(0, 0) : at(radius, radius),
    xs,
    ys,
    ring,
    neighbours,
    sides,
    at,
    distance(a, b) {
      const [dx, dy] = [xs[a] - xs[b], ys[a] - ys[b]];
      const most = Math.max(Math.abs(dx), Math.abs(dy));
      return hexagonal ? Math.max(most, Math.abs(dx + dy)) : most;
    },
    disc(cell, far) {
      const found = [];
      for (let dy = -far; dy <= far; dy++) {
        for (let dx = -far; dx <= far; dx++) {
          if (hexagonal && Math.abs(dx + dy) > far) continue;
          const other = at(xs[cell] + dx, ys[cell] + dy);
          if (other >= 0) found.push(other);
        }
      }
      return found;
    },
    opposites(cell) {
      const half = steps.length / 2;
      /** @type {[number, number][]} */
      const pairs = [];
      for (let i = 0; i < half; i += sideStep) {
        const [a, b] = [ring[cell][i], ring[cell][i + half]];
        if (a >= 0 && b >= 0) pairs.push([a, b]);
      }
      return pairs;
    },
  };
}
