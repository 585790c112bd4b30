// The common start, the penalty, and a rival who does not wait.

import { find, h } from "site/dom.js";
import { t } from "site/i18n.js";

import { createDigging } from "games/learn/digging.js";
import { fold } from "./fold.js";
import { picture } from "./picture.js";

/** @import { Game } from "./types.d.ts" */
/** @import { Here, Lesson } from "games/learn/types.d.ts" */

const PENALTY_MS = 3_000;
const RIVAL_MS = 60_000;

/** @param {HTMLElement} root @returns {Lesson<Game>} */
export function lesson(root) {
  const dig = createDigging(7, 7, [11, 19, 29, 33, 38]);
  const bar = h("progress", { max: 100, value: 0, "aria-label": t("The other’s progress") });
  const line = h("p.lesson-rival", { hidden: true }, h("span.soft.small-text", {}, t("The other")), bar);
  root.querySelector(".lesson-rival")?.remove();
  find(".lesson-say", root).after(line);
  let running = 0;
  let struck = false;

  function startRival() {
    line.hidden = false;
    const began = performance.now();
    running = setInterval(() => {
      bar.value = Math.min(99, (100 * (performance.now() - began)) / RIVAL_MS);
      if (!line.isConnected || bar.value >= 99) clearInterval(running);
    }, 250);
  }

  /** @param {Here<Game>} here @param {number} cell */
  function strike(here, cell) {
    struck = true;
    here.fold({ type: "mine", cell });
    here.wait(PENALTY_MS);
    return t("Locked for three seconds. The mine stays visible and counts like a flag.");
  }

  return {
    view: dig.view,
    fold,
    draw: (view) => ({ drawn: picture(view) }),
    end: t("First! In a match you would see the other’s percent, and nothing else of their board."),
    steps: [
      {
        text: t("Everybody gets the same board, and the same start is open for all. Go on at the framed cell."),
        begin: (here) => dig.open(here, 0),
        frames: () => [5],
        act: (action, here) => {
          if (action.cell !== 5 || action.kind !== "reveal") return t("Open the framed cell.");
          dig.press(action, here);
        },
        done: (here) => dig.isOpen(here, 5),
      },
      {
        text: t("A mine does not end a race, it costs time. Open the framed mine on purpose, to see it."),
        frames: () => [11],
        act: (action, here) => {
          if (action.cell !== 11 || action.kind === "flag") return t("The framed one, please.");
          return strike(here, 11);
        },
        done: () => struck,
      },
      {
        text: t("Now hurry: clear the board before the other is done."),
        begin: startRival,
        act: (action, here) => {
          if (dig.press(action, here) === "mine")
            return action.kind === "chord" ? t("A chord with a wrong flag.") : strike(here, action.cell);
        },
        done: (here) => {
          const cleared = dig.cleared(here);
          if (cleared) clearInterval(running);
          return cleared;
        },
      },
    ],
  };
}
