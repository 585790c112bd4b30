// Converts between cells and canvas pixels; pan and zoom. Headless.
//
// A tile is `scale` device pixels wide. Hexagons stand on a corner; rows are half a tile apart.

/** @typedef {import("./topology.js").Topology} Topology */

/**
 * @typedef {object} Camera
 * @property {Topology} topo
 * @property {number} scale device pixels across a tile, a whole number
 * @property {number} x where the middle of the map is
 * @property {number} y
 * @property {number} width of the canvas, in device pixels
 * @property {number} height
 * @property {number} ratio device pixels per CSS pixel
 * @property {boolean} touched whether the viewer has chosen this part of the map
 */

const ROW = Math.sqrt(3) / 2; // height of a row of hexagons, in tiles
const LARGEST = 84; // CSS pixels across a tile

/** @param {Topology} topo @returns {Camera} */
export const createCamera = (topo) => ({ topo, scale: 20, x: 0, y: 0, width: 1, height: 1, ratio: 1, touched: false });

/** The middle of a tile from the middle of the map, in tiles. @param {Topology} topo @param {number} cell */
export function centreOf({ hexagonal, radius, xs, ys }, cell) {
  if (hexagonal) return { x: xs[cell] + ys[cell] / 2, y: ys[cell] * ROW };
  return { x: xs[cell] - radius, y: ys[cell] - radius };
}

/** The middle of a tile on the canvas. @param {Camera} camera @param {number} cell */
export function place({ topo, scale, x, y }, cell) {
  const centre = centreOf(topo, cell);
  return { x: Math.round(x + centre.x * scale), y: Math.round(y + centre.y * scale) };
}

/** The cell at a point of the canvas, -1 outside the map. @param {Camera} camera @param {number} px @param {number} py */
export function cellAt({ topo, scale, x, y }, px, py) {
  const [across, down] = [(px - x) / scale, (py - y) / scale];
  if (!topo.hexagonal) return topo.at(Math.round(across) + topo.radius, Math.round(down) + topo.radius);
  const r = down / ROW;
  const q = across - r / 2;
  const s = -q - r;
  let [roundQ, roundR] = [Math.round(q), Math.round(r)];
  const [offQ, offR, offS] = [Math.abs(roundQ - q), Math.abs(roundR - r), Math.abs(Math.round(s) - s)];
  // Derive the coordinate with the largest rounding error from the others: q + r + s = 0.
  if (offQ > offR && offQ > offS) roundQ = -roundR - Math.round(s);
  else if (offR > offS) roundR = -roundQ - Math.round(s);
  return topo.at(roundQ + 0, roundR + 0);
}

/** The corners of a tile around (0, 0). @param {Topology} topo @param {number} scale @returns {[number, number][]} */
export function outline({ hexagonal }, scale) {
  const half = scale / 2;
  if (!hexagonal) {
    return [
      [half, -half],
      [half, half],
      [-half, half],
      [-half, -half],
    ];
  }
  const far = scale / Math.sqrt(3);
  return [
    [half, -far / 2],
    [half, far / 2],
    [0, far],
    [-half, far / 2],
    [-half, -far / 2],
    [0, -far],
  ];
}

/** The size of the whole map, in tiles. @param {Topology} topo */
export function extent({ hexagonal, radius }) {
  const side = 2 * radius + 1;
  return hexagonal ? { across: side, down: 2 * radius * ROW + 2 / Math.sqrt(3) } : { across: side, down: side };
}

/** The scale at which the whole map fits the window. @param {Camera} camera */
export function wholeScale({ topo, width, height }) {
  const { across, down } = extent(topo);
  return Math.max(3, Math.floor(Math.min(width / across, height / down)));
}

/** Keep some of the map in the window. @param {Camera} camera */
function clamp(camera) {
  const { across, down } = extent(camera.topo);
  const keep = (/** @type {number} */ at, /** @type {number} */ size, /** @type {number} */ room) => {
    const slack = Math.max(0, (size - room) / 2) + room * 0.35;
    return Math.round(Math.max(room / 2 - slack, Math.min(room / 2 + slack, at)));
  };
  camera.x = keep(camera.x, across * camera.scale, camera.width);
  camera.y = keep(camera.y, down * camera.scale, camera.height);
}

/** Show the whole map. @param {Camera} camera */
export function fit(camera) {
  camera.scale = wholeScale(camera);
  camera.x = Math.round(camera.width / 2);
  camera.y = Math.round(camera.height / 2);
  camera.touched = false;
}

/** @param {Camera} camera @param {number} dx @param {number} dy */
export function pan(camera, dx, dy) {
  camera.x += Math.round(dx);
  camera.y += Math.round(dy);
  camera.touched = true;
  clamp(camera);
}

/** Set the scale; the point (px, py) stays where it is. @param {Camera} camera @param {number} scale @param {number} px @param {number} py */
export function zoomTo(camera, scale, px, py) {
  const least = Math.min(wholeScale(camera), 24 * camera.ratio);
  const next = Math.round(Math.max(least, Math.min(LARGEST * camera.ratio, scale)));
  if (next === camera.scale) return;
  camera.x = px + ((camera.x - px) * next) / camera.scale;
  camera.y = py + ((camera.y - py) * next) / camera.scale;
  camera.scale = next;
  camera.touched = true;
  clamp(camera);
}

/** Bring a tile to the middle of the window. @param {Camera} camera @param {number} cell */
export function centre(camera, cell) {
  const at = centreOf(camera.topo, cell);
  camera.x = Math.round(camera.width / 2 - at.x * camera.scale);
  camera.y = Math.round(camera.height / 2 - at.y * camera.scale);
  camera.touched = true;
  clamp(camera);
}

/** @param {Camera} camera @param {number} width @param {number} height @param {number} ratio */
export function resize(camera, width, height, ratio) {
  const [dx, dy] = [(width - camera.width) / 2, (height - camera.height) / 2];
  Object.assign(camera, { width, height, ratio });
  if (!camera.touched) return fit(camera);
  camera.x += Math.round(dx);
  camera.y += Math.round(dy);
  clamp(camera);
}
