// What the page says about a puzzle and its answer.

import { listed, n, t } from "site/i18n.js";

/** @import { Answer, Puzzle } from "./types.d.ts" */

/** @param {Puzzle} puzzle */
export function questionText({ question }) {
  return question === "safe" ? t("Find a safe cell") : t("Find the best guess");
}

/** @param {Puzzle} puzzle */
export function taskText({ question, mines }) {
  if (question === "guess") {
    return t("Nothing is certain here. Choose the cell with the best chance to win the rest of the game.");
  }
  return mines === null
    ? t("The numbers prove that some hidden cell holds no mine. Choose one.")
    : t("The numbers, with the count of mines left, prove that some hidden cell holds no mine. Choose one.");
}

/** @param {number} width @param {number} cell */
export function place(width, cell) {
  return t("row {row}, column {column}", { row: Math.floor(cell / width) + 1, column: (cell % width) + 1 });
}

/** @param {string} text */
const sentence = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {Puzzle} puzzle @param {Answer} answer */
export function verdictText(puzzle, { cell, correct, mines }) {
  const at = place(puzzle.width, cell);
  if (puzzle.question === "guess") return correct ? t("Right, that is the best guess.") : t("There is a better guess.");
  if (correct) return sentence(t("{place} is safe. Well done!", { place: at }));
  if (mines.includes(cell)) return sentence(t("{place} is a mine.", { place: at }));
  return sentence(t("{place} could be a mine.", { place: at }));
}

/**
 * Why: one sentence or several.
 * @param {Puzzle} puzzle
 * @param {Answer} answer
 */
export function reasons(puzzle, answer) {
  return puzzle.question === "guess" ? guessReasons(puzzle, answer) : proofReasons(puzzle, answer);
}

/** @param {Puzzle} puzzle @param {number} a @param {number} b */
function touch({ width }, a, b) {
  return Math.abs((a % width) - (b % width)) <= 1 && Math.abs(Math.floor(a / width) - Math.floor(b / width)) <= 1;
}

/** @param {Puzzle} puzzle @param {Answer} answer */
function proofReasons(puzzle, { proof }) {
  if (!proof) return [];
  const at = place(puzzle.width, proof.cell);
  const name = (/** @type {number} */ cell) =>
    t("the {number} in {place}", { number: puzzle.cells[cell], place: place(puzzle.width, cell) });
  const { numbers } = proof;
  if (numbers.length === 2 && !proof.mine_count) {
    const near = numbers.filter((cell) => touch(puzzle, cell, proof.cell));
    if (near.length === 1) {
      const other = numbers.find((cell) => cell !== near[0]) ?? near[0];
      return [
        t("All mines of {number} lie in cells that it shares with {other}.", {
          number: name(near[0]),
          other: name(other),
        }),
        t("So none of its other hidden cells is a mine, and {place} is safe.", { place: at }),
      ];
    }
  }
  const proved =
    numbers.length <= 4
      ? t("The proof needs {numbers}.", { numbers: listed(numbers.map(name)) })
      : n("The proof needs the framed number.", "The proof needs the {n} framed numbers.", numbers.length);
  const rest = proof.mine_count
    ? n(
        "With {n} mine left, every way to satisfy them leaves {place} free.",
        "With {n} mines left, every way to satisfy them leaves {place} free.",
        puzzle.mines ?? 0,
        { place: at },
      )
    : t("Every way to place the mines around them leaves {place} free.", { place: at });
  return [proved, rest];
}

/** @param {Puzzle} puzzle @param {Answer} answer */
function guessReasons(puzzle, { cell, correct, solution, chances = {}, arrangements = 1 }) {
  const percent = (/** @type {number} */ count) => Math.round((100 * count) / arrangements);
  const best = correct ? cell : solution[0];
  const texts = [
    n("{n} arrangement of mines fits the numbers.", "{n} arrangements of mines fit the numbers.", arrangements),
  ];
  const { mines, wins } = chances[best];
  texts.push(
    t("After opening {place}, perfect play wins {wins}% of them; it is a mine in {mines}%.", {
      place: place(puzzle.width, best),
      wins: percent(wins),
      mines: percent(mines),
    }),
  );
  const own = chances[cell];
  if (!correct && own) {
    texts.push(
      t("Your cell wins {wins}%, and is a mine in {mines}%.", { wins: percent(own.wins), mines: percent(own.mines) }),
    );
  } else if (!correct) {
    texts.push(t("Your cell is a mine in all of them."));
  }
  const fewest = Math.min(...Object.values(chances).map((each) => each.mines));
  if (mines > fewest) texts.push(t("Other cells are less risky, but their numbers would tell you less."));
  texts.push(t("The figures on the board are the chances to win."));
  return texts;
}
