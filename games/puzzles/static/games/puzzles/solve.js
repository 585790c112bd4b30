// /puzzles/, the puzzle of the day, and one puzzle by its address: one answer, then the reasons.

import { announce } from "site/announce.js";
import { find, findAll, h, icon, pageData, toggle } from "site/dom.js";
import { n, t } from "site/i18n.js";

import { post } from "./ask.js";
import { createPuzzleBoard, showAnswer, showPuzzle } from "./position.js";
import { questionText, reasons, taskText, verdictText } from "./words.js";

/** @import { Answer, PageData, Puzzle } from "./types.d.ts" */

/** @type {PageData} */
const data = pageData();
const root = find("#puzzle");
/** @param {string} name @returns {HTMLElement} */
const part = (name) => find(`.puzzle-${name}`, root);
const board = createPuzzleBoard(part("board"), data.preferences);
/** @type {Set<number>} */
const flags = new Set();
/** @type {Puzzle | null} */
let puzzle = data.puzzle;
let busy = false;

/** @param {string} state waiting, asking, right, wrong or none */
function setState(state) {
  root.dataset.state = state;
  root.setAttribute("aria-busy", String(state === "waiting"));
  board.enable(state === "asking");
}

/** @param {string} text */
function say(text, urgent = false) {
  part("say").textContent = text;
  announce(text, urgent ? "assertive" : "polite");
}

/** @param {Puzzle} shown */
function badges(shown) {
  return [
    h("span.badge", {}, t("Rating {rating}", { rating: shown.rating })),
    shown.mines === null ? null : h("span.badge", {}, n("{n} mine left", "{n} mines left", shown.mines)),
    shown.cells.includes("?")
      ? h("span.soft.small-text", {}, t("Hatched cells are open; their numbers are left out."))
      : null,
  ].filter((each) => each !== null);
}

function ask() {
  if (!puzzle) return;
  flags.clear();
  part("question").textContent = questionText(puzzle);
  part("task").textContent = taskText(puzzle);
  part("facts").replaceChildren(...badges(puzzle));
  part("say").textContent = "";
  part("why").replaceChildren();
  part("tools").replaceChildren();
  showPuzzle(board, puzzle, flags);
  setState("asking");
}

async function next() {
  if (busy) return;
  busy = true;
  setState("waiting");
  try {
    puzzle = await post(data.urls.next, { theme: data.theme }, data.csrf);
    ask();
    announce(`${part("question").textContent}. ${part("task").textContent}`);
    board.focus();
  } catch (error) {
    setState("none");
    say(/** @type {Error} */ (error).message, true);
    part("tools").replaceChildren(h("button.button", { type: "button", onclick: next }, t("Try again")));
  } finally {
    busy = false;
  }
}

/** @param {number} cell */
async function answerWith(cell) {
  if (busy || !puzzle) return;
  busy = true;
  board.enable(false);
  try {
    /** @type {Answer} */
    const answer = await post(`${data.urls.one}${puzzle.id}/attempt/`, { cell }, data.csrf);
    show(answer);
    say(part("say").textContent ?? "", true);
    find("button, a", part("tools")).focus({ preventScroll: true });
  } catch (error) {
    say(/** @type {Error} */ (error).message, true);
    board.enable(true);
  } finally {
    busy = false;
  }
}

/** @param {Answer} answer */
function show(answer) {
  if (!puzzle) return;
  setState(answer.correct ? "right" : "wrong");
  part("task").textContent = "";
  part("say").textContent = verdictText(puzzle, answer);
  part("why").replaceChildren(
    ...reasons(puzzle, answer).map((text) => h("p", {}, text)),
    h("p.row", {}, ...answer.themes.map((theme) => h("span.badge", {}, data.themes[theme]))),
    h("p.soft.small-text", {}, scoreText(answer)),
  );
  showAnswer(board, puzzle, answer);
  part("tools").replaceChildren(nextButton(), ...(data.registered ? votes() : []));
}

/** @param {Answer} answer */
function scoreText({ you, streak = 0, again, rated }) {
  const row = streak > 1 ? ` ${n("{n} in a row.", "{n} in a row.", streak)}` : "";
  if (you) {
    const change = you.after - you.before;
    const signed = change > 0 ? `+${change}` : change < 0 ? `−${-change}` : "±0";
    return t("Your puzzle rating: {rating} ({change}).", { rating: you.after, change: signed }) + row;
  }
  if (again) return t("You had answered this puzzle before, so it doesn’t count again.");
  if (rated === undefined) return t("You have answered this puzzle.");
  return (data.registered ? t("Casual: your rating doesn’t change.") : t("Sign up to get a puzzle rating.")) + row;
}

function nextButton() {
  if (data.kind === "training") {
    return h("button.button.primary", { type: "button", onclick: next }, t("Next puzzle"));
  }
  return h("a.button.primary", { href: data.urls.one }, t("More puzzles"));
}

function votes() {
  /** @param {number} value @param {string} label @param {string} sign */
  const button = (value, label, sign) =>
    h(
      "button.button.small.puzzle-vote",
      {
        type: "button",
        "aria-pressed": String(data.vote === value),
        "aria-label": label,
        title: label,
        onclick: () => vote(value),
      },
      icon(sign),
    );
  return [button(1, t("Good puzzle"), "check"), button(-1, t("Bad puzzle"), "close")];
}

/** @param {number} value */
async function vote(value) {
  if (!puzzle) return;
  const given = data.vote === value ? 0 : value;
  try {
    await post(`${data.urls.one}${puzzle.id}/vote/`, { vote: given }, data.csrf);
    data.vote = given;
    findAll(".puzzle-vote", root).forEach((each, i) => each.setAttribute("aria-pressed", String(given === [1, -1][i])));
    announce(given ? t("Thank you for your vote.") : t("Your vote is withdrawn."));
  } catch (error) {
    say(/** @type {Error} */ (error).message, true);
  }
}

board.on("act", ({ kind, cell }) => {
  if (!puzzle || puzzle.cells[cell] !== "." || root.dataset.state !== "asking") return;
  if (kind === "flag") {
    if (!flags.delete(cell)) flags.add(cell);
    showPuzzle(board, puzzle, flags);
  } else if (kind === "reveal" && !flags.has(cell)) {
    answerWith(cell);
  }
});

toggle(part("board"), true);
if (data.kind === "training") next();
else if (!puzzle) setState("none");
else {
  ask();
  if (data.answer) show(data.answer);
}
