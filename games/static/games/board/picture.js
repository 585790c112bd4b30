// The content of a board: { width, height, faces, owners }, with a face (faces.js) and an owner per cell. A
// mode's picture.js makes one from a view. It is pure and headless, so the match page, the replay and tests
// all use it:
//
//     board.show(picture(view));

import { HIDDEN, NOBODY } from "./faces.js";

/** @import { Picture } from "games/board/types.d.ts" */

/**
 * A board of hidden cells that nobody owns.
 * @param {number} width
 * @param {number} height
 * @returns {Picture}
 */
export function blankPicture(width, height) {
  return {
    width,
    height,
    faces: new Uint8Array(width * height).fill(HIDDEN),
    owners: new Uint8Array(width * height).fill(NOBODY),
  };
}
