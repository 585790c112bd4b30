// The lesson: captures, digits, a mine, surrounding and selling items, a city. Played on a small island that
// reacts as a match would.

import { pageData } from "site/dom.js";
import { t } from "site/i18n.js";

import { createWarBoard } from "./board.js";
import { fold } from "./fold.js";
import { picture } from "./picture.js";
import { createPractice } from "./practice.js";
import { createTopology } from "./topology.js";
import { describeTile } from "./words.js";

/** @import { Here, Lesson, LessonBoard, LessonView } from "games/learn/types.d.ts" */
/** @typedef {import("./practice.js").Outcome} Outcome */

const [STUN, SIEGE] = [2500, 5000]; // ms
/** @type {{ cities: [number, number][], mines: [number, number][], water: [number, number][] }} */
const ISLAND = {
  cities: [
    [-2, 0],
    [3, -1],
  ],
  mines: [
    [0, 0],
    [1, -2],
    [-1, 2],
    [2, -4],
    [-2, 4],
    [3, 1],
    [3, -3],
  ],
  water: [
    [4, -4],
    [4, -3],
    [-4, 3],
    [-4, 4],
    [-3, 4],
  ],
};

/**
 * The map for a lesson: it always shows the whole island, Space captures and F flags.
 * @param {HTMLElement} element
 * @param {{ prefs: Record<string, any>, label: string }} options
 * @returns {LessonBoard}
 */
export function createBoard(element, { prefs, label }) {
  /** @type {any} */
  let drawn = null;
  const board = createWarBoard(element, {
    prefs,
    label,
    time: () => performance.now(),
    describe: (cell) =>
      drawn ? describeTile(drawn.game, createTopology("hex", drawn.radius), cell, () => "") : String(cell),
  });
  board.on("viewport", (/** @type {import("./camera.js").Camera} */ camera) => camera.touched && board.fit());
  // A wheel over the island scrolls the page.
  element.addEventListener("wheel", (event) => event.stopPropagation(), { capture: true });
  element.addEventListener("keydown", (event) => {
    const kind = /** @type {Record<string, string>} */ ({ f: "secondary", " ": "primary" })[event.key.toLowerCase()];
    if (!kind || !board.state.enabled) return;
    event.preventDefault();
    if (!event.repeat) board.emit("act", { kind, cell: board.state.cursor });
  });
  return {
    on: (_, run) =>
      board.on("act", (/** @type {{ kind: string, cell: number }} */ { kind, cell }) =>
        run({ kind: kind === "secondary" ? "flag" : "reveal", cell, by: "mouse" }),
      ),
    show(next, { origin = -1 } = {}) {
      drawn = next;
      board.show(drawn, { from: origin });
      board.mark({ sieges: drawn.sieges });
    },
    mark: ({ frames }) => board.mark({ frames }),
    enable: board.enable,
  };
}

/** @returns {Lesson} */
export function lesson() {
  const island = createPractice(ISLAND);
  const { topo, cities } = island;
  const { figures } = pageData(); // of the rules
  const at = (/** @type {number} */ x, /** @type {number} */ y) => topo.at(x, y);
  const [first, mine, safe, last] = [at(-2, -2), at(0, 0), at(1, -1), at(4, -1)];
  const around = [at(0, 1), at(1, 0)];
  /** @type {LessonView} */
  const view = {
    you: 0,
    truth: null,
    phase: "live",
    options: { topology: "hex", radius: island.radius },
    game: {
      tiles: island.codes(),
      cities,
      empires: [[0]],
      empire: 1,
      regions: island.regions(),
      sieges: [null, null],
      names: [t("Home"), t("Riverton")],
    },
  };

  /** Everything that changed, as an event. @param {Here} here */
  const update = (here) => here.fold({ type: "tiles", tiles: island.codes().flatMap((code, cell) => [cell, code]) });

  /**
   * @param {Here} here
   * @param {string} kind
   * @param {number} cell
   * @returns {string | void} why it had no effect
   */
  function press(here, kind, cell) {
    if (kind === "flag") {
      island.flag(cell);
      return update(here);
    }
    const outcome = island.capture(cell);
    update(here);
    if (outcome === "mine") {
      here.wait(STUN);
      return t("A mine! In a match it would stun you for {seconds} seconds. Read the digits around it.", {
        seconds: figures.stun,
      });
    }
    /** @type {Partial<Record<Outcome, string>>} */
    const words = {
      far: t("That tile isn’t next to your land."),
      flagged: t("Your flag is on that tile. Remove it first."),
      no: t("Hold all the land around it to take it."),
    };
    return words[outcome];
  }

  /**
   * A step in which the learner may capture only these tiles.
   * @param {() => number[]} wanted
   * @param {() => string} please
   */
  const captures = (wanted, please) => ({
    frames: wanted,
    act: (/** @type {{ kind: string, cell: number }} */ { kind, cell }, /** @type {Here} */ here) => {
      if (kind === "flag" && !wanted().includes(cell) && cell !== mine) return press(here, kind, cell);
      if (kind === "flag" || (!wanted().includes(cell) && !island.isMined(cell))) return please();
      return press(here, kind, cell);
    },
  });

  return {
    view,
    fold,
    draw: (now) => {
      const sieges = now.game.sieges.flatMap((/** @type {any} */ siege, /** @type {number} */ city) =>
        siege ? [{ cell: cities[city], by: siege[0], falls: siege[1], lasts: SIEGE }] : [],
      );
      return { drawn: /** @type {any} */ ({ ...picture(now), radius: island.radius, game: now.game, sieges }) };
    },
    end: t("Riverton is yours and earns money for you. Take all the other players’ cities to win."),
    steps: [
      {
        text: t("The coloured land around your city is yours. Click the framed tile next to it to capture it."),
        ...captures(
          () => [first],
          () => t("Capture the framed tile."),
        ),
        done: () => island.isOwn(first),
      },
      {
        text: t(
          "Safe land opens by itself. A digit counts the mines around it. The 1 beside your city touches just one tile that isn’t yours: the framed one. Flag it (right-click, long press, or F).",
        ),
        frames: () => [mine],
        act: ({ kind, cell }, here) => {
          if (cell !== mine || (kind !== "flag" && island.isFlagged(mine))) return t("Flag the framed tile.");
          return press(here, kind, cell);
        },
        done: () => island.isFlagged(mine),
      },
      {
        text: t(
          "The 2 to the left of the framed tile already has its two mines: the flag and the one above. So the framed tile is safe. Capture it.",
        ),
        ...captures(
          () => [safe],
          () => t("Capture the framed tile."),
        ),
        done: () => island.isOwn(safe),
      },
      {
        text: t(
          "You don’t have to step on a mine: hold all the land around it and it’s sold. Capture the framed tiles around your flag.",
        ),
        ...captures(
          () => around.filter((cell) => !island.isOwn(cell)),
          () => t("Capture the framed tiles around the flag."),
        ),
        done: (here) => {
          if (!island.isOwn(mine)) return false;
          here.say(t("Sold: the money is in your city’s bank."), true);
          return true;
        },
      },
      {
        text: t(
          "Now for the city of Riverton. Hold every tile around it for {seconds} seconds and it’s yours. The 1 below it already has its mine, so the framed tile is safe.",
          { seconds: figures.siege },
        ),
        frames: () => island.besides(1).filter((cell) => cell === last),
        act: ({ kind, cell }, here) => {
          if (kind === "flag" || (cell !== last && !island.isMined(cell))) return t("Capture the framed tile.");
          const answer = press(here, kind, cell);
          if (cell !== last) return answer;
          here.fold({ type: "siege", city: 1, by: 1, falls: performance.now() + SIEGE });
          here.wait(SIEGE, () => {
            here.fold({ type: "siege", city: 1, by: 0, falls: 0 });
            island.take(1);
            update(here);
          });
          here.say(t("The siege has begun. Hold on."), true);
        },
        done: () => island.isOwn(cities[1]),
      },
    ],
  };
}
