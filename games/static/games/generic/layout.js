// The positions of a board's cells, in hundredths of a cell, and the cell that an arrow key moves to.

/** @typedef {{ grid: "square" | "hex", width: number, height: number }} Shape */

const UNIT = 100;
const SIDE = UNIT / Math.sqrt(3); // of a hexagon that is as wide as a square
const POINTS = [30, 90, 150, 210, 270, 330].map((degrees) => (degrees * Math.PI) / 180);

/**
 * The width and height of the whole board.
 * @param {Shape} shape
 */
export function extent({ grid, width, height }) {
  if (grid === "square") return { across: width * UNIT, down: height * UNIT };
  return { across: (width + (height > 1 ? 0.5 : 0)) * UNIT, down: (height * 1.5 + 0.5) * SIDE };
}

/**
 * The middle of a cell.
 * @param {Shape} shape
 * @param {number} cell
 */
export function centre({ grid, width }, cell) {
  const [column, row] = [cell % width, Math.floor(cell / width)];
  if (grid === "square") return { x: (column + 0.5) * UNIT, y: (row + 0.5) * UNIT };
  return { x: (column + 0.5 + (row % 2) * 0.5) * UNIT, y: (row * 1.5 + 1) * SIDE };
}

/**
 * The outline of a cell around (0, 0), as the `d` of a path.
 * @param {"square" | "hex"} grid
 * @param {number} share of its full size
 */
export function outline(grid, share) {
  if (grid === "square") {
    const [half, round] = [(UNIT / 2) * share, share < 1 ? 12 : 0];
    const side = 2 * (half - round);
    const corner = (/** @type {number} */ x, /** @type {number} */ y) =>
      round ? `a${round} ${round} 0 0 1 ${x} ${y}` : "";
    return (
      `M${-half + round} ${-half}h${side}${corner(round, round)}v${side}${corner(-round, round)}` +
      `h${-side}${corner(-round, -round)}v${-side}${corner(round, -round)}z`
    );
  }
  const far = SIDE * share;
  return `M${POINTS.map((angle) => `${round2(Math.cos(angle) * far)} ${round2(Math.sin(angle) * far)}`).join("L")}z`;
}

/** @param {number} value */
const round2 = (value) => Math.round(value * 100) / 100;

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The cell that a key moves to from another; null if it isn't a movement key. Skips gaps in the board. On
 * hexagons, up and down stay in the column.
 * @param {Shape & { cells: string[] }} board
 * @param {number} from
 * @param {string} key
 * @param {boolean} far to the corner of the board instead of the end of the row
 * @returns {number | null}
 */
export function step({ width, height, cells }, from, key, far = false) {
  const [column, row] = [from % width, Math.floor(from / width)];
  const there = (/** @type {number} */ cell) => cells[cell] !== "void";
  if (key === "Home" || key === "End") {
    const [first, last] = far ? [0, width * height - 1] : [row * width, row * width + width - 1];
    const range = Array.from({ length: last - first + 1 }, (_, i) => first + i).filter(there);
    return (key === "Home" ? range[0] : range.at(-1)) ?? from;
  }
  const by = STEPS[key];
  if (!by) return null;
  for (
    let [x, y] = [column + by[0], row + by[1]];
    x >= 0 && y >= 0 && x < width && y < height;
    x += by[0], y += by[1]
  ) {
    if (there(y * width + x)) return y * width + x;
  }
  return from;
}
