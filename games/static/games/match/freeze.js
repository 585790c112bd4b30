// The cover over the board while the player is frozen: why, and how much longer.

import { h, setText } from "site/dom.js";

import { secondsLeft } from "./time.js";

/** @import { Freeze } from "games/match/types.d.ts" */

export function createFreeze() {
  const seconds = h("b.freeze-seconds");
  const text = h("span");
  const element = h("div.freeze", { hidden: true, role: "status" }, h("div.freeze-card", {}, seconds, text));
  return {
    element,
    /**
     * { text, left: ms }, or null when it is over.
     * @param {Freeze | null} freeze
     */
    show(freeze) {
      element.hidden = !freeze;
      if (!freeze) return;
      setText(seconds, String(secondsLeft(freeze.left)));
      setText(text, freeze.text);
      element.classList.toggle("is-ice", Boolean(freeze.ice));
    },
  };
}
