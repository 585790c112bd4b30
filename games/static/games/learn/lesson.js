// runLesson(root, lesson): a scripted position in steps. A lesson is
//
//     { view, fold, draw, wave, end, steps: [{ text, frames, shaded, pins, begin, act, done }] }
//
// `fold(game, event)` is the mode's; `draw(view)` returns the board's content: { drawn, ships }.
// `act({ kind, cell }, here)` folds the result into the view and may return a text to show; `done(here)`
// says whether the step is over. `here` is { view, fold, say, wait, steps }.
//
// A lesson is drawn on the square board, unless its module exports `createBoard(element, { prefs, label })`.

import { find, h } from "site/dom.js";
import { t } from "site/i18n.js";

import { createBoard } from "../board/board.js";
import { describeCell } from "../match/cells.js";
import { loadPrefs } from "../prefs.js";

/** @import { Coming } from "games/board/types.d.ts" */
/** @import { CreateLessonBoard, Here, Lesson } from "games/learn/types.d.ts" */

/** @type {CreateLessonBoard} */
function createSquareBoard(element, { prefs, label }) {
  const board = createBoard(element, {
    prefs,
    you: 0,
    label,
    whole: true,
    describe: (cell) => describeCell(board.state.wanted, cell),
  });
  return board;
}

/**
 * @param {HTMLElement} root
 * @param {() => Lesson} makeLesson
 * @param {{ onPlay: (button: HTMLElement) => void, createBoard?: CreateLessonBoard }} options
 */
export function runLesson(root, makeLesson, { onPlay, createBoard: create = createSquareBoard }) {
  /** @param {string} name @returns {HTMLElement} */
  const part = (name) => find(`.lesson-${name}`, root);
  const board = create(part("board"), { prefs: loadPrefs(), label: t("Practice board") });
  /** @type {Lesson} */
  let lesson;
  let at = 0;
  let locked = false;

  /** @type {Here} */
  const here = {
    get view() {
      return lesson.view;
    },
    fold(event) {
      lesson.fold(lesson.view.game, event);
    },
    say(text, good = false) {
      part("say").textContent = text;
      part("say").classList.toggle("good", good);
    },
    /** Lock the board for this long; then `run`. */
    wait(ms, run = () => here.say(t("Carry on."), true)) {
      const waiting = lesson;
      locked = true;
      setTimeout(() => {
        if (lesson !== waiting) return; // started again
        locked = false;
        run();
        forward();
        draw();
      }, ms);
    },
  };

  /** @param {Coming} [how] */
  function draw(how = {}) {
    const { drawn, ships } = lesson.draw(lesson.view);
    board.show(drawn, how);
    if (ships) board.showShips?.(ships);
    const step = lesson.steps[at];
    const seat = 0;
    board.mark({
      frames: (step?.frames?.(here) ?? []).map((cell) => ({ cell, seat })),
      shaded: step?.shaded?.(here) ?? [],
      pins: step?.pins?.(here) ?? [],
    });
  }

  function showStep() {
    const { steps } = lesson;
    const step = steps[at];
    part("text").textContent = step ? step.text : lesson.end;
    part("dots").replaceChildren(...steps.map((_, k) => h(`li${k < at ? ".done" : k === at ? ".now" : ""}`)));
    const again = h("button.button.small", { type: "button", onclick: begin }, t("Start again"));
    /** @type {HTMLElement} */
    const play = h("button.button.primary", { type: "button", onclick: () => onPlay(play) }, t("Play for real"));
    part("tools").replaceChildren(...(step ? [again] : [play, again]));
    board.enable(Boolean(step));
    root.dataset.step = step ? String(at + 1) : "done";
  }

  function forward() {
    while (lesson.steps[at]?.done(here)) {
      at += 1;
      lesson.steps[at]?.begin?.(here);
      showStep();
    }
  }

  function begin() {
    lesson = makeLesson();
    at = 0;
    locked = false;
    here.say("");
    lesson.steps[0].begin?.(here);
    showStep();
    draw();
  }

  board.on("act", (action) => {
    const step = lesson.steps[at];
    if (!step || locked) return;
    here.say("");
    const answer = step.act(action, here);
    if (typeof answer === "string") here.say(answer);
    forward();
    draw({ wave: lesson.wave ?? "open", origin: action.cell });
  });
  begin();
  return { board, begin };
}
