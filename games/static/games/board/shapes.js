// The shapes inside a cell, each in a square of `s` device pixels at the origin.

/** @import { Colours } from "games/board/types.d.ts" */

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} x
 * @param {number} y
 * @param {number} w
 * @param {number} h
 * @param {number} r
 */
export function roundRect(ctx, x, y, w, h, r) {
  ctx.beginPath();
  ctx.roundRect(x, y, w, h, r);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} s @param {Colours} colours */
export function closedTile(ctx, s, colours) {
  if (s < 9) {
    ctx.fillStyle = colours.tile;
    ctx.fillRect(0, 0, s - (s > 3 ? 1 : 0), s - (s > 3 ? 1 : 0));
    return;
  }
  const gap = Math.max(1, Math.round(s * 0.05));
  const side = s - gap;
  const radius = s * 0.17;
  const lip = Math.max(1, Math.round(s * 0.07));
  ctx.fillStyle = colours["tile-edge"];
  roundRect(ctx, gap / 2, gap / 2, side, side, radius);
  ctx.fill();
  ctx.fillStyle = colours.tile;
  roundRect(ctx, gap / 2, gap / 2, side, side - lip, radius);
  ctx.fill();
  if (s >= 16) {
    ctx.save();
    roundRect(ctx, gap / 2, gap / 2, side, side - lip, radius);
    ctx.clip();
    ctx.strokeStyle = colours.light;
    ctx.lineWidth = Math.max(1, s * 0.05);
    roundRect(ctx, gap / 2, gap / 2, side, side + s, radius);
    ctx.stroke();
    ctx.restore();
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} s @param {string} fill @param {string} line */
export function openTile(ctx, s, fill, line) {
  ctx.fillStyle = fill;
  ctx.fillRect(0, 0, s, s);
  if (s >= 6) {
    ctx.fillStyle = line;
    const width = s >= 72 ? 2 : 1;
    ctx.fillRect(s - width, 0, width, s);
    ctx.fillRect(0, s - width, s, width);
  }
}

// Digits of 3x5 pixels, for cells too small for a font.
const DIGITS = [
  0, 0b010110010010111, 0b111001111100111, 0b111001111001111, 0b101101111001001, 0b111100111001111, 0b111100111101111,
  0b111001001001001, 0b111101111101111,
];

/** @param {CanvasRenderingContext2D} ctx @param {number} s @param {number} number @param {Colours} colours */
export function digit(ctx, s, number, colours) {
  ctx.fillStyle = colours.numbers[number];
  if (s >= 14) {
    ctx.font = `800 ${Math.round(s * 0.64)}px ${colours.display}`;
    ctx.textAlign = "center";
    ctx.textBaseline = "alphabetic";
    ctx.fillText(String(number), s / 2, s * 0.5 + s * 0.225);
    return;
  }
  if (s < 6) {
    const inset = s > 3 ? 1 : 0;
    ctx.fillRect(inset, inset, s - 2 * inset, s - 2 * inset);
    return;
  }
  const unit = Math.max(1, Math.floor((s - 1) / 6));
  const left = Math.floor((s - 3 * unit) / 2);
  const top = Math.floor((s - 5 * unit) / 2);
  for (let i = 0; i < 15; i++) {
    if ((DIGITS[number] >> (14 - i)) & 1) {
      ctx.fillRect(left + (i % 3) * unit, top + Math.floor(i / 3) * unit, unit, unit);
    }
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {number} s @param {Colours} colours */
export function question(ctx, s, colours) {
  ctx.fillStyle = colours.ink;
  ctx.font = `800 ${Math.round(s * 0.6)}px ${colours.display}`;
  ctx.textAlign = "center";
  ctx.textBaseline = "alphabetic";
  ctx.fillText("?", s / 2, s * 0.5 + s * 0.21);
}

/** @param {CanvasRenderingContext2D} ctx @param {number} s @param {Colours} colours */
export function flag(ctx, s, colours) {
  ctx.strokeStyle = colours.ink;
  ctx.lineWidth = Math.max(1, s * 0.07);
  ctx.lineCap = "round";
  ctx.beginPath();
  ctx.moveTo(s * 0.37, s * 0.22);
  ctx.lineTo(s * 0.37, s * 0.76);
  ctx.moveTo(s * 0.27, s * 0.76);
  ctx.lineTo(s * 0.52, s * 0.76);
  ctx.stroke();
  ctx.fillStyle = colours.flag;
  ctx.beginPath();
  ctx.moveTo(s * 0.37, s * 0.2);
  ctx.lineTo(s * 0.76, s * 0.36);
  ctx.lineTo(s * 0.37, s * 0.53);
  ctx.closePath();
  ctx.fill();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} s @param {string} colour */
export function mine(ctx, s, colour) {
  ctx.fillStyle = ctx.strokeStyle = colour;
  ctx.lineWidth = Math.max(1, s * 0.075);
  ctx.lineCap = "round";
  const c = s / 2;
  ctx.beginPath();
  for (let i = 0; i < 4; i++) {
    const [x, y] = [Math.cos((i * Math.PI) / 4) * s * 0.33, Math.sin((i * Math.PI) / 4) * s * 0.33];
    ctx.moveTo(c - x, c - y);
    ctx.lineTo(c + x, c + y);
  }
  ctx.stroke();
  ctx.beginPath();
  ctx.arc(c, c, s * 0.22, 0, 7);
  ctx.fill();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} s @param {string} colour */
export function cross(ctx, s, colour, inset = 0.26) {
  ctx.strokeStyle = colour;
  ctx.lineWidth = Math.max(1.5, s * 0.1);
  ctx.lineCap = "round";
  ctx.beginPath();
  ctx.moveTo(s * inset, s * inset);
  ctx.lineTo(s * (1 - inset), s * (1 - inset));
  ctx.moveTo(s * (1 - inset), s * inset);
  ctx.lineTo(s * inset, s * (1 - inset));
  ctx.stroke();
}

/** @param {CanvasRenderingContext2D} ctx @param {number} s @param {string} colour @param {number} radius */
export function dot(ctx, s, colour, radius) {
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.arc(s / 2, s / 2, s * radius, 0, 7);
  ctx.fill();
}

/**
 * A ship along cells of `s` pixels with its left or upper end at the origin.
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} s
 * @param {number} length
 * @param {boolean} vertical
 * @param {string} fill
 * @param {string} edge
 */
export function ship(ctx, s, length, vertical, fill, edge) {
  ctx.save();
  if (vertical) {
    ctx.translate(s, 0);
    ctx.rotate(Math.PI / 2);
  }
  const inset = s * 0.12;
  const [long, high] = [s * length - 2 * inset, s - 2 * inset];
  ctx.fillStyle = fill;
  ctx.strokeStyle = edge;
  ctx.lineWidth = Math.max(1, s * 0.05);
  ctx.beginPath();
  ctx.roundRect(inset, inset, long, high, [high * 0.32, high * 0.5, high * 0.5, high * 0.32]);
  ctx.fill();
  ctx.stroke();
  ctx.globalAlpha *= 0.55;
  ctx.beginPath();
  ctx.roundRect(inset + s * 0.32, s * 0.36, Math.max(s * 0.3, long - s * 1.05), s * 0.28, s * 0.1);
  ctx.fillStyle = edge;
  ctx.fill();
  ctx.restore();
}
