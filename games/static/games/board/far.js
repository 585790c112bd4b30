// Draws a board at one pixel per cell, for the minimap.

import { EXPOSED, FLAG, isOpen, MINE, NOBODY, STRUCK, WRONG_FLAG } from "./faces.js";

/** @import { Look, Picture } from "games/board/types.d.ts" */

/** @param {Look} look @param {number} face @param {number} owner */
function farColour({ colours }, face, owner) {
  if (face === FLAG || face === WRONG_FLAG) return colours.flag;
  if (face === MINE || face === STRUCK || face === EXPOSED) return colours.mine;
  if (owner !== NOBODY) return colours.seats[owner];
  return isOpen(face) ? colours["tile-open"] : colours["tile-edge"];
}

/**
 * Draws runs of one colour at a time, because most of a board has the same colour.
 * @param {CanvasRenderingContext2D} ctx
 * @param {Picture} picture
 * @param {Look} look
 */
export function drawFar(ctx, { width, height, faces, owners }, look) {
  for (let y = 0; y < height; y++) {
    for (let x = 0, from = 0; x < width; from = x) {
      const colour = farColour(look, faces[y * width + x], owners[y * width + x]);
      do x++;
      while (x < width && farColour(look, faces[y * width + x], owners[y * width + x]) === colour);
      ctx.fillStyle = colour;
      ctx.fillRect(from, y, x - from, 1);
    }
  }
}
