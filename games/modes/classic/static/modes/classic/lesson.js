// The lesson: openings, a certain mine, a certainly safe cell, a chord, and the rest without help.

import { t } from "site/i18n.js";

import { createDigging } from "games/learn/digging.js";
import { fold } from "./fold.js";
import { picture } from "./picture.js";

/** @import { Game } from "./types.d.ts" */
/** @import { Lesson } from "games/learn/types.d.ts" */

/** @returns {Lesson<Game>} */
export function lesson() {
  const dig = createDigging(6, 6, [10, 25, 29]);
  const boom = () => t("That would have been a mine. Take another look at the numbers.");

  return {
    view: dig.view,
    fold,
    draw: (view) => ({ drawn: picture(view) }),
    end: t("Cleared! That’s all there is to it. Real boards are just bigger."),
    steps: [
      {
        text: t("Open the framed cell. An empty cell touches no mine, so everything around it opens too."),
        frames: () => [0],
        act: (action, here) => {
          if (action.cell !== 0 || action.kind !== "reveal") return t("Start with the framed cell.");
          dig.press(action, here);
        },
        done: (here) => dig.isOpen(here, 0),
      },
      {
        text: t(
          "The framed 1 touches just one hidden cell, up and to the right. That must be its mine: flag it (right-click, long press, or F).",
        ),
        frames: () => [15],
        act: (action, here) => {
          if (action.kind !== "flag") return t("Flag it: right-click or long press.");
          if (action.cell !== 10) return t("Not that one: the cell up and to the right of the framed 1.");
          dig.press(action, here);
        },
        done: (here) => dig.isFlagged(here, 10),
      },
      {
        text: t("The 1 above has its mine now. So the framed cell is safe: open it."),
        frames: () => [4],
        act: (action, here) => {
          if (action.cell !== 4 || action.kind !== "reveal") return t("Open the framed cell.");
          dig.press(action, here);
        },
        done: (here) => dig.isOpen(here, 4),
      },
      {
        text: t(
          "Here’s a shortcut: click the framed 1 itself. Its mine is flagged, so everything else around it opens at once. That’s called a chord.",
        ),
        frames: () => [16],
        act: (action, here) => {
          if (action.cell !== 16) return t("Click the framed number.");
          dig.press({ kind: "chord", cell: 16 }, here);
        },
        done: (here) => dig.isOpen(here, 17),
      },
      {
        text: t("Now you’re on your own: find the other two mines and open everything else."),
        act: (action, here) => (dig.press(action, here) === "mine" ? boom() : undefined),
        done: (here) => dig.cleared(here),
      },
    ],
  };
}
