// /puzzles/storm/: three minutes, as many puzzles as possible. The server has the time; the page counts
// down from what it last said.

import { announce } from "site/announce.js";
import { find, h, pageData, setText, toggle } from "site/dom.js";
import { n, t } from "site/i18n.js";

import { post } from "./ask.js";
import { createPuzzleBoard, showPuzzle } from "./position.js";
import { questionText } from "./words.js";

/** @import { PageData, Puzzle, StormState } from "./types.d.ts" */

/** @type {PageData} */
const data = pageData();
const root = find("#storm");
/** @param {string} name @returns {HTMLElement} */
const part = (name) => find(`.storm-${name}`, root);
const start = /** @type {HTMLButtonElement} */ (part("start"));
/** @type {ReturnType<typeof createPuzzleBoard> | null} */
let board = null;
/** @type {Set<number>} */
const flags = new Set();
/** @type {StormState | null} */
let storm = null;
let endsAt = 0;
let busy = false;
let timer = 0;

/** @param {number} ms */
function clock(ms) {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

function tick() {
  const left = endsAt - performance.now();
  setText(part("clock"), clock(left));
  root.classList.toggle("is-late", left < 15_000);
  if (left <= 0) end();
}

/** @param {StormState} told */
function take(told) {
  storm = told;
  endsAt = performance.now() + told.ms_left;
  setText(part("score"), String(told.score));
  if (told.puzzle) {
    flags.clear();
    setText(part("question"), questionText(told.puzzle));
    const { mines } = told.puzzle;
    setText(part("mines"), mines === null ? "" : n("{n} mine left", "{n} mines left", mines));
    if (board) showPuzzle(board, told.puzzle, flags);
    board?.enable(true);
  } else end();
}

async function begin() {
  if (busy) return;
  busy = true;
  start.disabled = true;
  try {
    const told = await post(data.urls.start, {}, data.csrf);
    root.dataset.state = "running";
    toggle(part("play"), true);
    toggle(part("intro"), false);
    toggle(part("result"), false);
    board ??= listen();
    take(told);
    tick();
    timer = setInterval(tick, 200);
    announce(t("Go! {question}.", { question: questionText(told.puzzle) }));
    board.focus();
  } catch (error) {
    announce(/** @type {Error} */ (error).message, "assertive");
    part("error").textContent = /** @type {Error} */ (error).message;
  } finally {
    busy = false;
    start.disabled = false;
  }
}

function listen() {
  const made = createPuzzleBoard(part("board"), data.preferences);
  made.on("act", ({ kind, cell }) => {
    const puzzle = storm?.puzzle;
    if (!puzzle || puzzle.cells[cell] !== "." || root.dataset.state !== "running") return;
    if (kind === "flag") {
      if (!flags.delete(cell)) flags.add(cell);
      showPuzzle(made, puzzle, flags);
    } else if (kind === "reveal" && !flags.has(cell)) answerWith(puzzle, cell);
  });
  return made;
}

/** @param {Puzzle} puzzle @param {number} cell */
async function answerWith(puzzle, cell) {
  if (busy || !storm) return;
  busy = true;
  board?.enable(false);
  try {
    const told = await post(`${data.urls.storm}${storm.id}/`, { puzzle: puzzle.id, cell }, data.csrf);
    const right = Boolean(told.correct);
    part("say").textContent = right ? t("Right!") : t("Wrong: 10 seconds less.");
    part("say").classList.toggle("good", right);
    announce(`${part("say").textContent} ${told.puzzle ? questionText(told.puzzle) : ""}`);
    take(told);
  } catch (error) {
    if (performance.now() >= endsAt - 500) end();
    else {
      part("say").textContent = /** @type {Error} */ (error).message;
      board?.enable(true);
    }
  } finally {
    busy = false;
  }
}

function end() {
  if (root.dataset.state !== "running" || !storm) return;
  clearInterval(timer);
  root.dataset.state = "over";
  board?.enable(false);
  const text = n("You solved {n} puzzle.", "You solved {n} puzzles.", storm.score);
  const wrong = n("{n} wrong answer.", "{n} wrong answers.", storm.wrong);
  part("result").replaceChildren(
    h("h2", {}, t("Time’s up")),
    h("p.lead", {}, `${text} ${wrong}`),
    h("p.soft", {}, data.registered ? t("Reload the page to see the tables.") : t("Sign up to get into the tables.")),
    h(
      "p.row",
      {},
      h("button.button.primary", { type: "button", onclick: begin }, t("Play again")),
      h("a.button", { href: data.urls.storm }, t("Show the tables")),
    ),
  );
  toggle(part("play"), false);
  toggle(part("result"), true);
  find("button", part("result")).focus();
  announce(`${t("Time’s up")}. ${text}`, "assertive");
}

start.addEventListener("click", begin);
