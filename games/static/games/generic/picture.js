// The parts of a view in the common format that the board and the page show.

/** @typedef {import("./fold.js").Cells} Cells */
/**
 * @typedef {object} View
 * @property {{ board: Cells, scores: string[] }} game
 * @property {{ board?: Cells, scores?: string[] } | null} [truth]
 * @property {{ scores?: number[] } | null} [outcome]
 */

/**
 * After the match everybody sees the truth, if the mode provides one.
 * @param {View} view
 * @returns {Cells}
 */
export function picture(view) {
  return structuredClone(view.truth?.board ?? view.game.board);
}

/**
 * The score beside each player's name. After the match that is the final score, even if the mode kept scores
 * secret.
 * @param {View} view
 * @returns {string[]}
 */
export function scoresOf({ game, truth, outcome }) {
  if (!outcome) return game.scores;
  if (truth?.scores?.length) return truth.scores;
  return outcome.scores?.length ? outcome.scores.map(String) : game.scores;
}

/**
 * Merges all viewers' knowledge: a cell that the first viewer can't see is taken from another.
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
