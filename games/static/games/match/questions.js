// Question marks: the player's private notes, kept in this tab. The server only knows flags.

import * as F from "../board/faces.js";

/** @import { Picture } from "games/board/types.d.ts" */

/** @param {string} match */
export function createQuestions(match) {
  const key = `questions:${match}`;
  /** @type {Set<number>} */
  const cells = new Set(JSON.parse(sessionStorage.getItem(key) ?? "[]"));
  const keep = () => sessionStorage.setItem(key, JSON.stringify([...cells]));
  return {
    /** @param {number} cell */
    put(cell) {
      cells.add(cell);
      keep();
    },
    /** Remove the mark of a cell; false: it has none. @param {number} cell */
    take(cell) {
      const had = cells.delete(cell);
      if (had) keep();
      return had;
    },
    /** @param {Picture} picture */
    draw({ faces }) {
      for (const cell of cells) if (faces[cell] === F.HIDDEN) faces[cell] = F.QUESTION;
    },
  };
}
