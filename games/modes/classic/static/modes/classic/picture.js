import { HIDDEN, START } from "games/board/faces.js";
import { minefield } from "games/board/minefield.js";

/** The minefield; before the first move with the cell to begin at, if the board has one. */
export function picture(view, options) {
  const drawn = minefield(view, options);
  const { start, started } = view.game;
  if (start !== null && started === null && !view.truth && drawn.faces[start] === HIDDEN) drawn.faces[start] = START;
  return drawn;
}
