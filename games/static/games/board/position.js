// A minefield as its viewer sees it, in one line for a web address: games/analyser/position.py reads it.

/**
 * @typedef {object} Position
 * @property {number} width
 * @property {number} height
 * @property {number} mines all of the board
 * @property {ArrayLike<number>} cells numbers, or -1: closed, -2: a flag, -3: a known mine
 */

const MOST_RUN = 26;
const SIGNS = ["", "H", "F", "M"];

/** @param {Position} position */
export function positionCode({ width, height, mines, cells }) {
  let runs = "";
  for (let from = 0, to = 0; from < cells.length; from = to) {
    const code = cells[from];
    while (to < cells.length && cells[to] === code && to - from < MOST_RUN) to++;
    const repeat = to - from > 1 ? String.fromCharCode(96 + to - from) : "";
    runs += (code < 0 ? SIGNS[-code] : String(code)) + repeat;
  }
  return `${width}x${height}x${mines}-${runs}`;
}
