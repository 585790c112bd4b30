// The lesson: the shared start, the penalty, and a rival who does not wait.

import { find, h, pageData } from "site/dom.js";
import { t } from "site/i18n.js";

import { createDigging } from "games/learn/digging.js";
import { fold } from "./fold.js";
import { picture } from "./picture.js";

/** @import { Game } from "./types.d.ts" */
/** @import { Here, Lesson } from "games/learn/types.d.ts" */

const RIVAL_MS = 60_000;

/** @param {HTMLElement} root @returns {Lesson<Game>} */
export function lesson(root) {
  const dig = createDigging(7, 7, [11, 19, 29, 33, 38]);
  const bar = h("progress", { max: 100, value: 0, "aria-label": t("Opponent’s progress") });
  const line = h("p.lesson-rival", { hidden: true }, h("span.soft.small-text", {}, t("Opponent")), bar);
  root.querySelector(".lesson-rival")?.remove();
  find(".lesson-say", root).after(line);
  /** @type {number} The penalty in the rules, from the page's data. */
  const penalty = pageData().options.penalty_seconds;
  let running = 0;
  let strikes = 0;

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
    strikes += 1;
    const seconds = penalty * strikes;
    here.fold({ type: "mine", cell });
    here.wait(seconds * 1000);
    return t("Locked for {seconds} seconds. The mine stays visible and counts like a flag.", { seconds });
  }

  return {
    view: dig.view,
    fold,
    draw: (view) => ({ drawn: picture(view) }),
    end: t("You win! In a match you see your opponent’s percentage but never their board."),
    steps: [
      {
        text: t("Everyone gets the same board with the same opening. Carry on at the framed cell."),
        begin: (here) => dig.open(here, 0),
        frames: () => [5],
        act: (action, here) => {
          if (action.cell !== 5 || action.kind !== "reveal") return t("Open the framed cell.");
          dig.press(action, here);
        },
        done: (here) => dig.isOpen(here, 5),
      },
      {
        text: t("A mine doesn’t end the race, but it costs you time. Open the framed mine to see how that works."),
        frames: () => [11],
        act: (action, here) => {
          if (action.cell !== 11 || action.kind === "flag") return t("Open the framed cell.");
          return strike(here, 11);
        },
        done: () => strikes > 0,
      },
      {
        text: t("Now hurry: clear the board before your opponent does."),
        begin: startRival,
        act: (action, here) => {
          if (dig.press(action, here) === "mine")
            return action.kind === "chord"
              ? t("You chorded with a flag in the wrong place.")
              : strike(here, action.cell);
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
