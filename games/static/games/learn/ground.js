// The field of a lesson: small, with its mines known to the browser, because nothing is at stake.

/** @param {number} width @param {number} height @param {number[]} mines */
export function createGround(width, height, mines) {
  const mined = new Set(mines);

  /** @param {number} cell */
  function near(cell) {
    const [x, y] = [cell % width, Math.floor(cell / width)];
    /** @type {number[]} */
    const found = [];
    for (let dy = -1; dy <= 1; dy++) {
      for (let dx = -1; dx <= 1; dx++) {
        if (!dx && !dy) continue;
        if (x + dx < 0 || x + dx >= width || y + dy < 0 || y + dy >= height) continue;
        found.push(cell + dy * width + dx);
      }
    }
    return found;
  }

  /** @param {number} cell */
  const number = (cell) => near(cell).filter((other) => mined.has(other)).length;

  /**
   * The cells that open with this one; only cells with `closed(cell)` can open.
   * @param {number} start
   * @param {(cell: number) => boolean} closed
   */
  function opening(start, closed) {
    const found = [start];
    const seen = new Set(found);
    for (const cell of found) {
      if (number(cell)) continue;
      for (const other of near(cell)) {
        if (seen.has(other) || mined.has(other) || !closed(other)) continue;
        seen.add(other);
        found.push(other);
      }
    }
    return found;
  }

  return { width, height, mined, near, number, opening };
}
