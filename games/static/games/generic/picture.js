// What a board shows of a view in the common format.

/** @typedef {import("./fold.js").Cells} Cells */
/**
 * @typedef {object} View
 * @property {{ board: Cells, scores: string[] }} game
 * @property {{ board?: Cells, scores?: string[] } | null} [truth]
 * @property {{ scores?: number[] } | null} [outcome]
 */

/**
 * After the end everybody sees the truth, if the mode tells one.
 * @param {View} view
 * @returns {Cells}
 */
export function picture(view) {
  return structuredClone(view.truth?.board ?? view.game.board);
}

/**
 * What stands beside each player's name. When the match is over that is its result, also where the mode
 * kept the scores secret.
 * @param {View} view
 * @returns {string[]}
 */
export function scoresOf({ game, truth, outcome }) {
  if (!outcome) return game.scores;
  if (truth?.scores?.length) return truth.scores;
  return outcome.scores?.length ? outcome.scores.map(String) : game.scores;
}

/**
 * What all viewers together know: a cell that the first one can't see is taken from another.
 * @param {View[]} views
 * @returns {Cells}
 */
export function together(views) {
  const [first, ...others] = views.map(picture);
  first.cells.forEach((face, cell) => {
    const known = face === "hidden" || face === "flag" ? others.find(({ cells }) => isOpen(cells[cell])) : null;
    if (!known) return;
    first.cells[cell] = known.cells[cell];
    first.owners[cell] = known.owners[cell];
    first.texts[cell] = known.texts[cell];
  });
  return first;
}

/** @param {string} face */
const isOpen = (face) => face !== "hidden" && face !== "flag";
