// A puzzle's position on the board, before and after the answer.

import { createBoard } from "games/board/board.js";
import * as F from "games/board/faces.js";
import { blankPicture } from "games/board/picture.js";
import { describeCell } from "games/match/cells.js";
import { loadPrefs } from "games/prefs.js";
import { t } from "site/i18n.js";

/** @import { Board } from "games/board/types.d.ts" */
/** @import { Answer, Puzzle } from "./types.d.ts" */

/** @type {Record<string, number>} */
const FACES = { ".": F.HIDDEN, "?": F.PLAIN, x: F.STRUCK };
const [GOOD, BAD] = [0, 1];

/** @param {HTMLElement} element @param {Record<string, any> | null} preferences */
export function createPuzzleBoard(element, preferences) {
  /** @type {Board} */
  const board = createBoard(element, {
    prefs: preferences ? loadPrefs(preferences) : loadPrefs(),
    you: GOOD,
    label: t("Puzzle"),
    whole: true,
    describe: (cell) => describeCell(board.state.wanted, cell),
  });
  return board;
}

/**
 * @param {Puzzle} puzzle
 * @param {Set<number>} flags
 */
export function picture(puzzle, flags) {
  const drawn = blankPicture(puzzle.width, puzzle.height);
  [...puzzle.cells].forEach((shown, cell) => {
    drawn.faces[cell] = flags.has(cell) ? F.FLAG : (FACES[shown] ?? Number(shown));
  });
  return drawn;
}

/** @param {Puzzle} puzzle */
const leftOut = (puzzle) => [...puzzle.cells].flatMap((shown, cell) => (shown === "?" ? [cell] : []));

/** @param {Board} board @param {Puzzle} puzzle @param {Set<number>} flags */
export function showPuzzle(board, puzzle, flags) {
  board.show(picture(puzzle, flags));
  board.mark({ frames: [], pins: [], shaded: leftOut(puzzle) });
}

/** @param {Board} board @param {Puzzle} puzzle @param {Answer} answer */
export function showAnswer(board, puzzle, answer) {
  board.show(picture(puzzle, new Set(answer.mines)));
  board.mark({
    frames: (answer.proof?.numbers ?? []).map((cell) => ({ cell, seat: GOOD })),
    pins: answer.chances ? chancePins(answer) : pins(answer),
    shaded: leftOut(puzzle),
  });
}

/** @param {Answer} answer */
function pins({ cell, correct, solution }) {
  const right = solution.map((each) => ({ cell: each, seat: GOOD, label: "✓", sure: true }));
  return correct ? right : [...right, { cell, seat: BAD, label: "✕", sure: true }];
}

/** @param {Answer} answer */
function chancePins({ cell, correct, chances = {}, arrangements = 1, solution }) {
  return Object.entries(chances).map(([at, { wins }]) => ({
    cell: Number(at),
    seat: Number(at) === cell && !correct ? BAD : GOOD,
    label: String(Math.round((100 * wins) / arrangements)),
    sure: solution.includes(Number(at)) || Number(at) === cell,
  }));
}
