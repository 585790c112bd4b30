// The trivial game that every peer runs: two players claim cells of a 30x30 board, in any order.

export const CELLS = 900;

export class Board {
  owners = new Int8Array(CELLS).fill(-1);

  /** True if the seat now owns the cell; false if the claim is not allowed. */
  claim(cell, seat) {
    if (!Number.isInteger(cell) || cell < 0 || cell >= CELLS || this.owners[cell] !== -1) return false;
    this.owners[cell] = seat;
    return true;
  }
}

export const PORT = Number(process.env.PORT);
export const HOST = "127.0.0.1";
