// Draws every face at the current size once and then copies it, so that a board of 10,000 cells takes a few
// milliseconds.

import { context2d, h } from "site/dom.js";

import { hatch } from "./colours.js";
import { EFFECTS } from "./effects.js";
import * as F from "./faces.js";
import { lift } from "./motion.js";
import * as shapes from "./shapes.js";

/** @import { Look } from "games/board/types.d.ts" */

/**
 * @typedef {object} Sprites
 * @property {(face: number, owner: number, size: number, code?: number) => Uint32Array} pixels a cell, opaque
 *   (pixels.js)
 * @property {(colour: string) => number} packed a colour as one pixel
 * @property {(face: number, owner: number, size: number) => HTMLCanvasElement} floor the ground of a cell
 * @property {(face: number, size: number) => HTMLCanvasElement} mark the symbol on it
 */

/**
 * @param {CanvasRenderingContext2D} ctx
 * @param {number} s
 * @param {number} face
 * @param {number} owner
 * @param {Look} look
 */
function paintFloor(ctx, s, face, owner, { colours, patterns, you }) {
  if (owner !== F.NOBODY) {
    const own = owner === you;
    shapes.openTile(ctx, s, own ? colours.owned[owner] : colours.theirs[owner], "transparent");
    if (!own && patterns && s >= 5) hatch(ctx, colours.patterns[owner], s, colours.seats[owner]);
    if (s >= 6) {
      ctx.globalAlpha = 0.55;
      ctx.fillStyle = colours["tile-line"];
      ctx.fillRect(s - 1, 0, 1, s);
      ctx.fillRect(0, s - 1, s, 1);
      ctx.globalAlpha = 1;
    }
  } else if (F.isSea(face)) {
    shapes.openTile(ctx, s, colours.sea, colours.seaLine);
  } else {
    // No lines in the gaps between closed tiles.
    shapes.openTile(ctx, s, colours["tile-open"], F.isHidden(face) ? "transparent" : colours["tile-line"]);
  }
}

/** @type {Record<number, (ctx: CanvasRenderingContext2D, s: number, look: Look) => void>} */
const MARKS = {
  [F.HIDDEN]: (ctx, s, { colours }) => shapes.closedTile(ctx, s, colours),
  [F.FLAG](ctx, s, { colours }) {
    shapes.closedTile(ctx, s, colours);
    shapes.flag(ctx, s, colours);
  },
  [F.QUESTION](ctx, s, { colours }) {
    shapes.closedTile(ctx, s, colours);
    shapes.question(ctx, s, colours);
  },
  [F.START](ctx, s, { colours }) {
    shapes.closedTile(ctx, s, colours);
    shapes.cross(ctx, s, colours.pine, 0.33);
  },
  [F.WRONG_FLAG](ctx, s, { colours }) {
    shapes.closedTile(ctx, s, colours);
    ctx.globalAlpha = 0.5;
    shapes.flag(ctx, s, colours);
    ctx.globalAlpha = 1;
    shapes.cross(ctx, s, colours.flag, 0.2);
  },
  [F.MINE](ctx, s, { colours }) {
    ctx.globalAlpha = 0.85;
    shapes.mine(ctx, s, colours.mine);
    ctx.globalAlpha = 1;
  },
  [F.EXPOSED](ctx, s, { colours }) {
    ctx.fillStyle = colours.line;
    ctx.fillRect(0, 0, s, s);
    shapes.mine(ctx, s, colours.mine);
  },
  [F.STRUCK](ctx, s, { colours }) {
    ctx.fillStyle = colours.flag;
    ctx.fillRect(0, 0, s, s);
    shapes.mine(ctx, s, colours.paper);
  },
  [F.MISS]: (ctx, s, { colours }) => shapes.dot(ctx, s, colours["ink-soft"], 0.12),
  [F.HIT](ctx, s, { colours }) {
    shapes.dot(ctx, s, colours.flag, 0.34);
    shapes.cross(ctx, s, colours.paper, 0.37);
  },
  [F.SUNK]: (ctx, s, { colours }) => shapes.cross(ctx, s, colours.paper, 0.3),
};

/**
 * sprites(look) -> { floor(face, owner, size), mark(face, size) }, canvases; { pixels(...), packed(...) }.
 * `look` is { colours, patterns, you }.
 * @param {Look} look
 * @returns {Sprites}
 */
export function createSprites(look) {
  /** @type {Map<string, HTMLCanvasElement>} */
  const canvases = new Map();
  /** @type {Map<string | number, any>} */
  const pixels = new Map();
  const scratch = context2d(h("canvas"), { willReadFrequently: true });

  /** @template T @param {Map<any, T>} map @param {string | number} key @param {() => T} make */
  function kept(map, key, make) {
    let found = map.get(key);
    if (found === undefined) {
      if (map.size > 4000) map.clear();
      found = make();
      map.set(key, found);
    }
    return found;
  }

  /** @param {number} size @param {(ctx: CanvasRenderingContext2D) => void} paint */
  function canvas(size, paint) {
    const made = h("canvas", { width: size, height: size });
    paint(context2d(made));
    return made;
  }

  /** @param {number} size @param {(ctx: CanvasRenderingContext2D) => void} paint */
  function read(size, paint) {
    scratch.canvas.width = scratch.canvas.height = size; // this clears it and resets its settings
    paint(scratch);
    return new Uint32Array(scratch.getImageData(0, 0, size, size).data.buffer);
  }

  /** @param {CanvasRenderingContext2D} ctx @param {number} face @param {number} size */
  function paintMark(ctx, face, size) {
    if (F.isNumber(face)) shapes.digit(ctx, size, face, look.colours);
    else MARKS[face]?.(ctx, size, look);
  }

  /**
   * A cell in the middle of a flood (motion.js).
   * @param {CanvasRenderingContext2D} ctx
   * @param {number} face
   * @param {number} owner
   * @param {number} size
   * @param {number} code
   */
  function paintLift(ctx, face, owner, size, code) {
    const { kind, p, covered } = lift(code);
    if (kind === "open" && !covered) return;
    const effect = { face, owner, oldFace: covered ? F.HIDDEN : F.PLAIN };
    EFFECTS[kind](ctx, size, p, { effect, sprites, colours: look.colours });
  }

  /** @type {Sprites} */
  const sprites = {
    /** A cell as pixels (pixels.js); opaque. The key is a number for speed: up to 10,000 calls a frame. */
    pixels: (face, owner, size, code = 0) =>
      kept(pixels, ((size * 64 + code) * 32 + face) * 256 + owner, () =>
        read(size, (ctx) => {
          paintFloor(ctx, size, face, owner, look);
          paintMark(ctx, face, size);
          if (code) paintLift(ctx, face, owner, size, code);
        }),
      ),
    /** A colour as one pixel. */
    packed: (colour) =>
      kept(
        pixels,
        colour,
        () =>
          read(1, (ctx) => {
            ctx.fillStyle = colour;
            ctx.fillRect(0, 0, 1, 1);
          })[0],
      ),
    floor: (face, owner, size) =>
      kept(canvases, `f${F.isSea(face)}:${owner}:${size}`, () =>
        canvas(size, (ctx) => paintFloor(ctx, size, face, owner, look)),
      ),
    mark: (face, size) => kept(canvases, `m${face}:${size}`, () => canvas(size, (ctx) => paintMark(ctx, face, size))),
  };
  return sprites;
}
