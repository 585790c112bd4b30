// The layer over the cells: probabilities, the hovered and the selected cell, a long press in progress, pins,
// shaded cells and ships that the player is placing.

import { heat } from "./heat.js";
import * as shapes from "./shapes.js";

/** @import { BoardState, Colours, Pin, Ship, Viewport } from "games/board/types.d.ts" */

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {Viewport} v
 * @param {number} cell
 * @param {(size: number) => void} draw
 */
function inCell(ctx, v, cell, draw) {
  ctx.save();
  ctx.translate(v.x + (cell % v.columns) * v.cell, v.y + Math.floor(cell / v.columns) * v.cell);
  draw(v.cell);
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {Viewport} v @param {number[]} cells @param {Colours} colours */
function shade(ctx, v, cells, colours) {
  ctx.save();
  ctx.fillStyle = colours.flag;
  ctx.globalAlpha = 0.2;
  const path = new Path2D();
  for (const cell of cells) {
    path.rect(v.x + (cell % v.columns) * v.cell, v.y + Math.floor(cell / v.columns) * v.cell, v.cell, v.cell);
  }
  ctx.fill(path);
  ctx.clip(path);
  ctx.globalAlpha = 0.35;
  ctx.strokeStyle = colours.flag;
  ctx.lineWidth = Math.max(1, v.ratio);
  ctx.beginPath();
  const step = 9 * v.ratio;
  for (let x = -v.height; x < v.width; x += step) {
    ctx.moveTo(x, v.height);
    ctx.lineTo(x + v.height, 0);
  }
  ctx.stroke();
  ctx.restore();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} s @param {string} colour @param {number} width */
function frame(ctx, s, colour, width, inset = 0) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  shapes.roundRect(ctx, inset + width / 2, inset + width / 2, s - width - 2 * inset, s - width - 2 * inset, s * 0.16);
  ctx.stroke();
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} s
 * @param {Viewport} v
 * @param {Pin} target
 * @param {Colours} colours
 */
function pin(ctx, s, v, { seat, label, sure }, colours) {
  const r = Math.max(s * 0.48, 12 * v.ratio);
  ctx.translate(s / 2, s / 2);
  ctx.fillStyle = colours.seats[seat];
  ctx.globalAlpha = sure ? 1 : 0.85;
  ctx.beginPath();
  ctx.arc(0, 0, r, 0, 7);
  ctx.fill();
  ctx.lineWidth = Math.max(1.5, 2 * v.ratio);
  ctx.strokeStyle = colours.surface;
  if (!sure) ctx.setLineDash([3 * v.ratio, 3 * v.ratio]);
  ctx.stroke();
  ctx.fillStyle = colours.surface;
  ctx.font = `800 ${Math.round(r * 1.1)}px ${colours.display}`;
  ctx.textAlign = "center";
  ctx.textBaseline = "middle";
  ctx.fillText(label, 0, r * 0.08);
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} s
 * @param {Viewport} v
 * @param {{ progress: number }} press
 * @param {Colours} colours
 */
function pressRing(ctx, s, v, press, colours) {
  const p = Math.min(1, press.progress);
  const r = Math.max(s * 0.75, 26 * v.ratio);
  ctx.translate(s / 2, s / 2);
  ctx.lineWidth = 5 * v.ratio;
  ctx.globalAlpha = 0.25;
  ctx.strokeStyle = colours.flag;
  ctx.beginPath();
  ctx.arc(0, 0, r, 0, 7);
  ctx.stroke();
  ctx.globalAlpha = 1;
  ctx.beginPath();
  ctx.arc(0, 0, r, -Math.PI / 2, -Math.PI / 2 + p * 2 * Math.PI);
  ctx.stroke();
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} s
 * @param {Ship & { good: boolean }} ship
 * @param {Colours} colours
 */
function ghost(ctx, s, { length, vertical, good }, colours) {
  ctx.globalAlpha = 0.85;
  shapes.ship(
    ctx,
    s,
    length,
    vertical,
    good ? colours.pine : colours.flag,
    good ? colours["pine-soft"] : colours.paper,
  );
  if (good) return;
  // Don't rely on the colour alone.
  ctx.globalAlpha = 1;
  for (let i = 0; i < length; i++) {
    shapes.cross(ctx, s, colours.paper, 0.34);
    ctx.translate(vertical ? 0 : s, vertical ? s : 0);
  }
}

/**
 * Returns whether it drew anything.
 * @param {CanvasRenderingContext2D} ctx
 * @param {BoardState} state
 * @param {Colours} colours
 */
export function drawOverlay(ctx, state, colours) {
  const v = state.viewport;
  const { marks, press } = state;
  const { shaded = [], ghost: placed } = marks;
  let some = shaded.length > 0;
  /** @param {number} cell @param {(size: number) => void} draw */
  const at = (cell, draw) => ((some = true), inCell(ctx, v, cell, draw));
  for (const each of marks.heat ?? []) at(each.cell, (s) => heat(ctx, s, v, each, colours));
  if (shaded.length) shade(ctx, v, shaded, colours);
  for (const target of marks.pins ?? []) at(target.cell, (s) => pin(ctx, s, v, target, colours));
  for (const { cell, seat } of marks.frames ?? []) {
    at(cell, (s) => frame(ctx, s, colours.seats[seat], Math.max(2, s * 0.12)));
  }
  if (placed) at(placed.cell, (s) => ghost(ctx, s, placed, colours));
  for (const cell of state.pressed) {
    at(cell, (s) => {
      ctx.globalAlpha = 0.16;
      ctx.fillStyle = colours.ink;
      shapes.roundRect(ctx, 0, 0, s, s, s * 0.16);
      ctx.fill();
    });
  }
  if (state.hover >= 0 && state.enabled) {
    at(state.hover, (s) => {
      ctx.globalAlpha = 0.75;
      frame(ctx, s, colours.ink, Math.max(1, v.ratio));
    });
  }
  if (state.cursor >= 0 && state.cursorShown) {
    at(state.cursor, (s) => {
      frame(ctx, s, colours.surface, Math.max(4, s * 0.16));
      frame(ctx, s, colours.pine, Math.max(2, s * 0.1));
    });
  }
  if (press) at(press.cell, (s) => pressRing(ctx, s, v, press, colours));
  return some;
}
