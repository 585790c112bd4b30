// The probability of a mine over a closed cell: a tint, and a sign or the percentage where there is room.

import * as shapes from "./shapes.js";

/** @import { Colours, Heat, Viewport } from "games/board/types.d.ts" */

const READABLE = 17; // CSS pixels: no percentages in smaller cells

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} s
 * @param {Viewport} v
 * @param {Heat} heat
 * @param {Colours} colours
 */
export function heat(ctx, s, v, { chance }, colours) {
  const safe = chance === 0;
  const mine = chance === 1;
  ctx.fillStyle = safe ? colours.pine : colours.flag;
  ctx.globalAlpha = safe || mine ? 0.62 : 0.08 + 0.5 * chance;
  const inset = Math.max(1, s * 0.05);
  shapes.roundRect(ctx, inset, inset, s - 2 * inset, s - 2 * inset, s * 0.16);
  ctx.fill();
  ctx.globalAlpha = 1;
  if (mine) return shapes.cross(ctx, s, colours.ink, 0.32);
  if (safe) return check(ctx, s, colours.ink);
  if (s < READABLE * v.ratio) return;
  ctx.fillStyle = colours.ink;
  ctx.font = `700 ${Math.round(s * (chance < 0.995 && chance >= 0.005 ? 0.44 : 0.36))}px ${colours.display}`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  const percent = Math.round(chance * 100);
  const text = percent === 0 ? "<1" : percent === 100 ? ">99" : String(percent);
  ctx.fillText(text, s / 2, s * 0.53);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} s @param {string} colour */
function check(ctx, s, colour) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = Math.max(1.5, s * 0.09);
  ctx.lineCap = "round";
  ctx.lineJoin = "round";
  ctx.beginPath();
  ctx.moveTo(s * 0.3, s * 0.53);
  ctx.lineTo(s * 0.44, s * 0.67);
  ctx.lineTo(s * 0.71, s * 0.36);
  ctx.stroke();
}
