// The lesson: pick a start, claim land, set a flag, and attack.

import { pageData } from "site/dom.js";
import { t } from "site/i18n.js";

import { createGround } from "games/learn/ground.js";
import { fold, HIDDEN } from "./fold.js";
import { picture } from "./picture.js";

/** @import { Game } from "./types.d.ts" */
/** @import { Here, Lesson, LessonView } from "games/learn/types.d.ts" */

const SIZE = 10;
const MINES = [4, 14, 25, 35, 45, 54, 52, 50, 57, 38, 29, 66, 75, 74, 83, 92, 8, 61];
const [MINE_START, THEIR_START] = [11, 88];

/** @returns {Lesson<Game>} */
export function lesson() {
  const ground = createGround(SIZE, SIZE, MINES);
  /** @type {LessonView<Game>} */
  const view = {
    you: 0,
    truth: null,
    phase: "live",
    options: { size: SIZE },
    game: {
      stage: 1,
      began: 0,
      ends: 0,
      cells: Array(SIZE * SIZE).fill(HIDDEN),
      areas: [0, 0],
      struck: [0, 0],
      frozen: [null, null],
      picks: [null, THEIR_START],
    },
  };
  /** @param {Here<Game>} here @param {number} cell */
  const code = (here, cell) => here.view.game.cells[cell];
  /** @param {Here<Game>} here @param {number} cell */
  const isMine = (here, cell) => code(here, cell) <= 8;

  /** @param {Here<Game>} here @param {number} seat @param {number} start */
  function claim(here, seat, start) {
    const cells = ground.opening(start, (cell) => code(here, cell) >= HIDDEN);
    here.fold({ type: "claimed", seat, cells, numbers: seat === 0 ? cells.map(ground.number) : null });
  }

  /** @param {Here<Game>} here @param {(cell: number) => boolean} wanted */
  const touching = (here, wanted) =>
    here.view.game.cells.findIndex(
      (now, cell) => now === HIDDEN && wanted(cell) && ground.near(cell).some((other) => isMine(here, other)),
    );
  /** @param {number} a @param {number} b */
  const distance = (a, b) => Math.hypot((a % SIZE) - (b % SIZE), Math.floor(a / SIZE) - Math.floor(b / SIZE));

  let safe = -1;
  let flag = -1;
  let target = -1;
  /** @type {number[]} */
  let region = [];

  /** @param {Here<Game>} here @param {number} cell */
  function attack(here, cell) {
    region = here.view.game.cells
      .map((_, other) => other)
      .filter(
        (other) =>
          Math.abs((other % SIZE) - (cell % SIZE)) <= 2 &&
          Math.abs(Math.floor(other / SIZE) - Math.floor(cell / SIZE)) <= 2,
      );
    const lost = [0, 1].map(
      (seat) => region.filter((other) => (seat ? code(here, other) === 11 : isMine(here, other))).length,
    );
    here.fold({ type: "struck", seat: 0, cell, until: null });
    for (const other of region) ground.mined.delete(other);
    const areas = here.view.game.areas.map((area, seat) => area - lost[seat]);
    const rim = here.view.game.cells
      .map((_, other) => other)
      .filter((other) => isMine(here, other) && !region.includes(other));
    here.fold({ type: "regenerated", cell, cells: region, areas, rim, numbers: rim.map(ground.number) });
  }

  return {
    view,
    fold,
    draw: (now) => ({ drawn: picture(now) }),
    wave: "claim",
    end: t("The largest area wins. Now you know how to play."),
    steps: [
      {
        text: t("Pick a start. Red already has one, and the shaded cells are too close to it. Choose the framed cell."),
        frames: () => [MINE_START],
        shaded: () => view.game.cells.map((_, cell) => cell).filter((cell) => distance(cell, THEIR_START) < 4.5),
        pins: () => [{ cell: THEIR_START, seat: 1, label: "2", sure: true }],
        act: ({ cell, kind }, here) => {
          if (kind !== "reveal" || cell !== MINE_START) return t("Choose the framed cell.");
          claim(here, 0, MINE_START);
          claim(here, 1, THEIR_START);
        },
        done: (here) => here.view.game.areas[0] > 0,
      },
      {
        text: t("The blue land is yours, and only you see its numbers. The framed cell is safe: claim it."),
        begin: (here) => (safe = touching(here, (cell) => !ground.mined.has(cell))),
        frames: () => [safe],
        act: ({ cell, kind }, here) => {
          if (kind !== "reveal" || cell !== safe) return t("Claim the framed cell.");
          claim(here, 0, safe);
        },
        done: (here) => isMine(here, safe),
      },
      {
        text: t(
          "The framed cell is a mine. At this stage it would freeze you for {seconds} seconds, so flag it (right-click, long press, or F).",
          { seconds: pageData().options.freeze_seconds },
        ),
        begin: (here) => (flag = touching(here, (cell) => ground.mined.has(cell))),
        frames: () => [flag],
        act: ({ cell, kind }, here) => {
          if (kind !== "flag" || cell !== flag) return t("Flag the framed cell.");
          here.fold({ type: "flagged", cell, on: true });
        },
        done: (here) => code(here, flag) === 21,
      },
      {
        text: t("Stage 2, Attack: a mine now blows up the land around it, including red’s. Set off the framed mine."),
        begin: (here) => {
          /** @param {number} cell */
          const near = (cell) => ground.near(cell).some((other) => code(here, other) === 11);
          target = here.view.game.cells.findIndex(
            (now, cell) => now === HIDDEN && ground.mined.has(cell) && near(cell),
          );
        },
        frames: () => [target],
        act: ({ cell, kind }, here) => {
          if (kind !== "reveal" || cell !== target) return t("Set off the framed mine.");
          attack(here, cell);
        },
        done: () => region.length > 0,
      },
      {
        text: t(
          "Nobody owns that area now, and it has new mines. In a match you can only claim cells that touch your land. Here, claim the framed one.",
        ),
        frames: () => [target],
        act: ({ cell, kind }, here) => {
          if (kind !== "reveal" || cell !== target) return t("Claim the framed cell.");
          claim(here, 0, cell);
        },
        done: (here) => isMine(here, target),
      },
    ],
  };
}
