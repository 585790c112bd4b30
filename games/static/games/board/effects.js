// Draws each kind of effect at progress `p` (0 to 1), in a cell of `s` pixels at the origin.

import * as F from "./faces.js";
import * as shapes from "./shapes.js";

/** @import { Colours, Effect, EffectKind } from "games/board/types.d.ts" */

/**
 * @typedef {object} Drawing
 * @property {Pick<Effect, "face" | "oldFace" | "owner">} effect
 * @property {import("./sprites.js").Sprites} sprites
 * @property {Colours} colours
 */

/** @param {number} p */
const easeOut = (p) => 1 - (1 - p) ** 3;

/** @param {CanvasRenderingContext2D} ctx @param {number} s @param {number} factor @param {() => void} draw */
function scaled(ctx, s, factor, draw) {
  ctx.translate(s / 2, s / 2);
  ctx.scale(factor, factor);
  ctx.translate(-s / 2, -s / 2);
  draw();
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} s
 * @param {number} p
 * @param {string} colour
 * @param {number} from
 * @param {number} to
 * @param {number} width
 */
function ring(ctx, s, p, colour, from, to, width) {
  ctx.globalAlpha = 1 - p;
  ctx.strokeStyle = colour;
  ctx.lineWidth = Math.max(1, s * width * (1 - p));
  ctx.beginPath();
  ctx.arc(s / 2, s / 2, s * (from + (to - from) * easeOut(p)), 0, 7);
  ctx.stroke();
}

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} s
 * @param {number} p
 * @param {string} colour
 * @param {number} count
 * @param {number} reach
 */
function sparks(ctx, s, p, colour, count, reach) {
  ctx.globalAlpha = 1 - p;
  ctx.fillStyle = colour;
  for (let i = 0; i < count; i++) {
    const angle = (i / count) * 2 * Math.PI + 0.4;
    const far = s * reach * easeOut(p) * (i % 2 ? 1 : 0.7);
    ctx.beginPath();
    ctx.arc(s / 2 + Math.cos(angle) * far, s / 2 + Math.sin(angle) * far, s * 0.09 * (1 - p * 0.6), 0, 7);
    ctx.fill();
  }
}

/** @type {Record<EffectKind, (ctx: CanvasRenderingContext2D, s: number, p: number, drawing: Drawing) => void>} */
export const EFFECTS = {
  /** A tile opens: the old tile shrinks away over the new cell. */
  open(ctx, s, p, { effect, sprites }) {
    ctx.globalAlpha = 1 - p;
    scaled(ctx, s, 1 - 0.35 * easeOut(p), () => ctx.drawImage(sprites.mark(effect.oldFace, s), 0, 0));
  },
  /** A player claims a cell: a glow in the player's colour passes. */
  claim(ctx, s, p, { effect, sprites, colours }) {
    if (effect.owner !== F.NOBODY) {
      ctx.globalAlpha = 0.55 * (1 - p);
      ctx.fillStyle = colours.seats[effect.owner];
      ctx.fillRect(0, 0, s, s);
    }
    if (F.isHidden(effect.oldFace)) EFFECTS.open(ctx, s, p, { effect, sprites, colours });
  },
  /** A cell closes: a new tile comes down. */
  close(ctx, s, p, { effect, sprites, colours }) {
    ctx.globalAlpha = 0.7 * (1 - p);
    ctx.fillStyle = colours.amber;
    ctx.fillRect(0, 0, s, s);
    ctx.globalAlpha = p;
    scaled(ctx, s, 1.5 - 0.5 * easeOut(p), () => ctx.drawImage(sprites.mark(effect.face, s), 0, 0));
  },
  pop(ctx, s, p, { effect, sprites }) {
    const size = 1 + 0.35 * Math.sin(Math.PI * p);
    scaled(ctx, s, size, () => ctx.drawImage(sprites.mark(effect.face, s), 0, 0));
  },
  burst(ctx, s, p, { colours }) {
    sparks(ctx, s, p, colours.flag, 12, 1.7);
    ring(ctx, s, p, colours.flag, 0.3, 2.2, 0.35);
  },
  splash(ctx, s, p, { colours }) {
    ring(ctx, s, p, colours.sky, 0.1, 0.6, 0.16);
    if (p > 0.25) ring(ctx, s, (p - 0.25) / 0.75, colours.sky, 0.1, 0.95, 0.12);
  },
  hit(ctx, s, p, { colours }) {
    ctx.save();
    ring(ctx, s, p, colours.flag, 0.2, 1.2, 0.3);
    ctx.restore();
    sparks(ctx, s, p, colours.amber, 9, 1.1);
  },
  sink(ctx, s, p, { colours }) {
    ring(ctx, s, p, colours.sky, 0.2, 1.6, 0.2);
    sparks(ctx, s, p, colours.flag, 8, 1.4);
  },
  /** A refusal: the cell shakes in a frame. */
  refuse(ctx, s, p, { colours }) {
    ctx.globalAlpha = 1 - p;
    ctx.translate(Math.sin(p * 6 * Math.PI) * s * 0.08 * (1 - p), 0);
    ctx.strokeStyle = colours.flag;
    ctx.lineWidth = Math.max(2, s * 0.09);
    shapes.roundRect(ctx, s * 0.06, s * 0.06, s * 0.88, s * 0.88, s * 0.17);
    ctx.stroke();
  },
};
