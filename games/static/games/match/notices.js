// The latest notices beside the board, also announced to screen readers.

import { announce } from "site/announce.js";
import { h } from "site/dom.js";

/** @import { Notices } from "games/match/types.d.ts" */

const KEPT = 6;

/** @returns {Notices} */
export function createNotices() {
  const list = h("ol.notices");
  return {
    element: list,
    /** `kind`: "", good, bad, warn; `now` interrupts a screen reader. Returns a function that removes it. */
    say(text, { kind = "", now = false } = {}) {
      const line = h(`li.notice-line${kind ? `.${kind}` : ""}`, {}, text);
      list.prepend(line);
      while (list.children.length > KEPT) list.lastChild?.remove();
      announce(text, now ? "assertive" : "polite");
      return () => line.remove();
    },
  };
}
