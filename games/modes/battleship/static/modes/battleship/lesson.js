// The lesson: a first shot, a hit, and a sunk ship.

import { t } from "site/i18n.js";

import { cellsOf } from "./fleet.js";
import { fold } from "./fold.js";
import { picture, shipsOf } from "./picture.js";

/** @import { Game } from "./types.d.ts" */
/** @import { Here, Lesson, LessonView } from "games/learn/types.d.ts" */

const FLEET = [
  { cell: 11, length: 5, vertical: false },
  { cell: 38, length: 4, vertical: true },
  { cell: 44, length: 3, vertical: false },
  { cell: 73, length: 3, vertical: false },
  { cell: 95, length: 2, vertical: false },
];
const PREY = FLEET[2];

/** @returns {Lesson<Game>} */
export function lesson() {
  /** @returns {import("./types.d.ts").Sea} */
  const sea = () => ({ tried: Array(100).fill(0), sunk: [] });
  /** @type {LessonView<Game>} */
  const view = {
    you: 0,
    truth: null,
    game: { turn: 0, turn_ends: 0, lapses: [0, 0], fleet: [], seas: [sea(), sea()] },
  };
  /** @param {Here<Game>} here @param {number} cell */
  const tried = (here, cell) => here.view.game.seas[1].tried[cell];
  /** @param {Here<Game>} here */
  const shots = (here) => here.view.game.seas[1].tried.filter(Boolean).length;

  /** @param {{ cell: number }} action @param {Here<Game>} here */
  function bomb({ cell }, here) {
    if (tried(here, cell)) return t("You already bombed that cell. It’s still your turn.");
    const ship = FLEET.find((one) => cellsOf(one).includes(cell));
    const sunk = ship && cellsOf(ship).every((other) => other === cell || tried(here, other) === 2) ? ship : null;
    here.fold({ type: "bombed", seat: 0, cell, hit: Boolean(ship), sunk, lapses: 0, turn: 0, turn_ends: 0 });
    here.say(sunk ? t("Sunk!") : ship ? t("Hit!") : t("Miss."), Boolean(ship));
  }

  return {
    view,
    fold,
    draw: (now) => ({ drawn: picture(now, { sea: 1 }), ships: shipsOf(now, 1) }),
    end: t("One ship down. Sink all five before you lose yours, one bomb per turn."),
    steps: [
      {
        text: t("This is your opponent’s sea. Five ships are hidden in it. Bomb any cell."),
        act: bomb,
        done: (here) => shots(here) > 0,
      },
      {
        text: t("In a match it would be your opponent’s turn now, hit or miss. Here’s a tip: bomb the framed cell."),
        frames: () => [45],
        act: (action, here) =>
          action.cell === 45 || tried(here, 45) ? bomb(action, here) : t("Choose the framed cell."),
        done: (here) => tried(here, 45) > 0,
      },
      {
        text: t(
          "Ships are straight. Try the four cells next to a hit. After two in a row, keep going along the line until the ship sinks.",
        ),
        act: bomb,
        done: (here) => cellsOf(PREY).every((cell) => tried(here, cell) === 2),
      },
    ],
  };
}
