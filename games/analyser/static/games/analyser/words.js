// What the analyser says: sentences about an answer, a proof, a contradiction and a refusal.

import { n, t } from "site/i18n.js";

/** @import { Answer, Conflict, Position, Proof } from "./types.d.ts" */

const language = document.documentElement.lang;
const percents = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 });
const finer = new Intl.NumberFormat(language, { style: "percent", maximumSignificantDigits: 2 });
const counts = new Intl.NumberFormat(language);
const mantissas = new Intl.NumberFormat(language, { maximumFractionDigits: 1 });

/** A probability: never 0% or 100% for what isn't certain. @param {number} chance */
export function percent(chance) {
  if (chance > 0 && chance < 0.001) return finer.format(chance);
  if (chance < 1 && chance > 0.999) return `> ${percents.format(0.999)}`;
  return percents.format(chance);
}

/** @param {{ width: number }} position @param {number} cell */
const coordinates = ({ width }, cell) => ({ row: Math.floor(cell / width) + 1, column: (cell % width) + 1 });

/** @param {{ width: number }} position @param {number} cell */
export const place = (position, cell) => t("Row {row}, column {column}", coordinates(position, cell));

/** @param {Position} position @param {Conflict} conflict */
function conflictText({ width, mines, cells }, { kind, numbers: [cell = 0], found }) {
  const about = { found: found ?? 0, mines, number: cells[cell], ...coordinates({ width }, cell) };
  switch (kind) {
    case "known_mines":
      return t("The board shows {found} mines, but is said to have {mines}.", about);
    case "closed_cells":
      return t("The board has {mines} mines, but only {found} cells for them.", about);
    case "number_too_small":
      return t("The {number} in row {row}, column {column} touches {found} known mines.", about);
    case "number_too_large":
      return t("The {number} in row {row}, column {column} has only {found} cells for its mines.", about);
    case "mines_too_few":
      return t("These numbers need at least {found} mines, but the board has {mines}.", about);
    case "mines_too_many":
      return t("These numbers leave room for {found} mines, but the board has {mines}.", about);
    case "mine_count":
      return t("These numbers don’t fit a board with {mines} mines.", about);
    default:
      return t("These numbers can’t all be right.");
  }
}

/** Why a proof holds. @param {Proof} proof */
export function proofText({ numbers, mine_count }) {
  if (!numbers.length) return mine_count ? t("The number of mines proves it.") : "";
  if (mine_count) {
    return n(
      "The shaded number and the number of mines prove it.",
      "The {n} shaded numbers and the number of mines prove it.",
      numbers.length,
    );
  }
  return n("The shaded number proves it.", "The {n} shaded numbers prove it together.", numbers.length);
}

/** The verdict on a cell, and why. @param {Position} position @param {Proof} proof */
export function verdictText(position, proof) {
  const where = { place: place(position, proof.cell) };
  if (proof.kind === "safe") return `${t("{place} is safe.", where)} ${proofText(proof)}`;
  if (proof.kind === "mine") return `${t("{place} is a mine.", where)} ${proofText(proof)}`;
  return t("{place} is a mine with a probability of {percent}. Nothing proves it either way.", {
    ...where,
    percent: percent(proof.chance),
  });
}

/**
 * What to say first: a title and a sentence.
 * @param {Answer} answer
 */
export function headline(answer) {
  const { status, conflict, best } = answer;
  if (conflict) return { kind: "bad", title: t("This can’t be a board"), text: conflictText(answer, conflict) };
  if (status === "cleared" || !best) {
    return { kind: "good", title: t("Solved"), text: t("Every closed cell is a mine.") };
  }
  const where = place(answer, best.cell);
  if (best.kind === "safe") {
    const title = t("Open row {row}, column {column}", coordinates(answer, best.cell));
    return { kind: "good", title, text: verdictText(answer, best) };
  }
  const text = answer.wins.length
    ? t("Nothing is safe. {place} gives the best chance to win, at a {percent} risk of a mine.", {
        place: where,
        percent: percent(best.chance),
      })
    : t("Nothing is safe. {place} is the best guess, at a {percent} risk of a mine.", {
        place: where,
        percent: percent(best.chance),
      });
  return { kind: "warn", title: t("You have to guess"), text };
}

/** How many ways there are to lay the mines. @param {NonNullable<Answer["arrangements"]>} arrangements */
export function arrangementsText({ log10, count }) {
  if (count !== null) return counts.format(count);
  const exponent = Math.floor(log10);
  const raised = [...String(exponent)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(digit)]).join("");
  return `${mantissas.format(10 ** (log10 - exponent))} × 10${raised}`;
}

/**
 * A refusal of the site.
 * @param {{ code?: string, detail?: string } & Record<string, any>} problem
 */
export function refusalText({ code, detail, ...about }) {
  switch (code) {
    case "position_empty":
      return t("There is no board in this text.");
    case "position_too_large":
      return t("A position has at most {most} cells.", about);
    case "position_sign":
      return t("“{sign}” in row {row}, column {column} isn’t a cell. The signs are listed below.", about);
    case "position_row":
      return t("Row {row} has {found} cells, but row 1 has {wanted}.", about);
    case "position_size":
      return t("The text says {wanted} cells, but has {found}.", about);
    case "position_mines":
      return t("Say how many mines the board has: from 0 to {most}.", about);
    case "analyser_busy":
    case "too_many_requests":
      return t("The analyser is busy. Try again in a few seconds.");
    case "analyser_too_slow":
      return t("This position takes too long to work out. Fill in more numbers, or take a smaller board.");
    default:
      return detail ?? t("The analyser didn’t answer. Please try again.");
  }
}
