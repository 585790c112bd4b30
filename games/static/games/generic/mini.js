// The miniature for a mode without its own: two players place stones in turn. It shows points instead of
// cells, because the card's data doesn't say whether the mode's board has squares or hexagons.

const [COLUMNS, ROWS] = [11, 6];
const MOVES = [38, 27, 37, 26, 48, 39, 28, 16, 49, 50, 17, 15, 36, 25, 47, 29, 18, 40, 46, 14, 24, 35];

export function scene() {
  const begin = Array.from({ length: COLUMNS * ROWS }, () => ({ tile: "nothing", mark: "point" }));
  const frames = MOVES.flatMap((cell, i) => [[{ cell, tile: "nothing", mark: `stone-${(i % 2) + 1}` }], []]);
  return { columns: COLUMNS, rows: ROWS, begin, frames };
}
