// Three canvas layers: cells, animations, overlay. Draws at most once a frame, and only the cells that
// changed.

import { context2d, h } from "site/dom.js";

import { EFFECTS } from "./effects.js";
import { NOBODY, SEA } from "./faces.js";
import { addEffect, advance, dropEnded, isMoving } from "./motion.js";
import { drawOverlay } from "./overlay.js";
import { createPixels } from "./pixels.js";
import * as shapes from "./shapes.js";
import { createSprites } from "./sprites.js";
import { visible } from "./viewport.js";

/** @import { BoardState, Look, WaveKind } from "games/board/types.d.ts" */

const LAYERS = ["cells", "motion", "overlay"];

/** @param {HTMLElement} container @param {BoardState} state @param {Look} look */
export function createRenderer(container, state, look) {
  /** @type {Record<string, CanvasRenderingContext2D>} */
  const layers = {};
  for (const name of LAYERS) {
    const canvas = h(`canvas.board-layer.board-${name}`, { "aria-hidden": "true" });
    container.append(canvas);
    layers[name] = context2d(canvas, { willReadFrequently: name === "cells" });
  }
  const pixels = createPixels(layers.cells);
  let sprites = createSprites(look);
  /** @type {Set<number>} */
  const dirty = new Set();
  let all = true;
  let overlay = true;
  let moved = false;
  let scheduled = 0;
  let ended = false;

  /**
   * Hide an empty layer: a visible one costs a copy in each frame.
   * @param {CanvasRenderingContext2D} ctx
   * @param {boolean} some
   */
  const seen = (ctx, some) => (ctx.canvas.style.visibility = some ? "visible" : "hidden");

  /** @param {CanvasRenderingContext2D} ctx */
  const clear = (ctx) => ctx.clearRect(0, 0, state.viewport.width, state.viewport.height);

  /**
   * Draw the borders to cells of other owners. A cell that a wave has not reached yet counts with its new
   * owner, so that the wave draws each cell's border once.
   * @param {number} x
   * @param {number} y
   * @param {number} s
   * @param {number} cell
   * @param {number} owner
   */
  function drawBorders(x, y, s, cell, owner) {
    const { width, height, owners } = state.wanted;
    const [column, row] = [cell % width, Math.floor(cell / width)];
    const thick = Math.max(1, Math.round(s * 0.09));
    const colour = sprites.packed(look.colours.seats[owner]);
    if (row === 0 || owners[cell - width] !== owner) pixels.fill(colour, x, y, s, thick);
    if (row === height - 1 || owners[cell + width] !== owner) pixels.fill(colour, x, y + s - thick, s, thick);
    if (column === 0 || owners[cell - 1] !== owner) pixels.fill(colour, x, y, thick, s);
    if (column === width - 1 || owners[cell + 1] !== owner) pixels.fill(colour, x + s - thick, y, thick, s);
  }

  /** @param {number} cell @param {number} x @param {number} y */
  function drawCell(cell, x, y) {
    const s = state.viewport.cell;
    const [face, owner] = [state.shown.faces[cell], state.shown.owners[cell]];
    state.drawn.cells++;
    pixels.blit(sprites.pixels(face, owner, s, state.motion.lifts[cell]), s, x, y);
    if (owner !== NOBODY) drawBorders(x, y, s, cell, owner);
  }

  /** @param {CanvasRenderingContext2D} ctx */
  function outline(ctx) {
    const v = state.viewport;
    const thick = Math.max(1, Math.round(v.ratio));
    ctx.strokeStyle = look.colours.line;
    ctx.lineWidth = thick;
    ctx.strokeRect(v.x - thick / 2, v.y - thick / 2, v.columns * v.cell + thick, v.rows * v.cell + thick);
  }

  /**
   * A to J along the top, 1 to 10 down the side, outside the cells.
   * @param {CanvasRenderingContext2D} ctx
   */
  function coordinates(ctx) {
    const v = state.viewport;
    ctx.fillStyle = look.colours["ink-soft"];
    ctx.font = `600 ${Math.round(Math.min(14 * v.ratio, v.cell * 0.42))}px ${look.colours.display}`;
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    const out = (v.margin / 2) * v.cell;
    for (let i = 0; i < v.columns; i++) ctx.fillText(String.fromCharCode(65 + i), v.x + (i + 0.5) * v.cell, v.y - out);
    ctx.textAlign = "right";
    for (let i = 0; i < v.rows; i++) ctx.fillText(String(i + 1), v.x - out / 2, v.y + (i + 0.5) * v.cell);
  }

  /**
   * Draw a sea, with its ships between the water and the marks.
   * @param {CanvasRenderingContext2D} ctx
   */
  function drawSea(ctx) {
    const { viewport: v, shown, ships } = state;
    /** @param {number} cell @returns {[number, number]} */
    const place = (cell) => [v.x + (cell % v.columns) * v.cell, v.y + Math.floor(cell / v.columns) * v.cell];
    shown.faces.forEach((face, cell) => ctx.drawImage(sprites.floor(SEA, NOBODY, v.cell), ...place(cell)));
    coordinates(ctx);
    outline(ctx);
    for (const each of ships ?? []) {
      ctx.save();
      ctx.translate(...place(each.cell));
      const [fill, edge] = each.sunk ? ["sunk", "mine"] : ["hull", "hullEdge"];
      shapes.ship(ctx, v.cell, each.length, each.vertical, look.colours[fill], look.colours[edge]);
      ctx.restore();
    }
    shown.faces.forEach((face, cell) => {
      if (face !== SEA) ctx.drawImage(sprites.mark(face, v.cell), ...place(cell));
    });
  }

  function drawCells() {
    const ctx = layers.cells;
    const v = state.viewport;
    if (state.ships) {
      if (all || dirty.size) (clear(ctx), drawSea(ctx));
    } else if (all) {
      pixels.clear(v.width, v.height);
      const area = visible(v);
      for (let row = area.top; row < area.bottom; row++) {
        for (let column = area.left; column < area.right; column++) {
          drawCell(row * v.columns + column, v.x + column * v.cell, v.y + row * v.cell);
        }
      }
      pixels.flush();
      outline(ctx);
    } else {
      const area = visible(v);
      for (const cell of dirty) {
        const [column, row] = [cell % v.columns, Math.floor(cell / v.columns)];
        if (column < area.left || column >= area.right || row < area.top || row >= area.bottom) continue;
        drawCell(cell, v.x + column * v.cell, v.y + row * v.cell);
      }
      pixels.flush();
    }
    all = false;
    dirty.clear();
  }

  /** @param {number} now */
  function drawMotion(now) {
    const ctx = layers.motion;
    const { viewport: v, motion } = state;
    if (moved) clear(ctx);
    moved = motion.effects.length > 0;
    seen(ctx, moved);
    if (!moved) return;
    const area = visible(v);
    for (const effect of motion.effects) {
      const [column, row] = [effect.cell % v.columns, Math.floor(effect.cell / v.columns)];
      if (now < effect.at || column < area.left - 2 || column > area.right + 2) continue;
      if (row < area.top - 2 || row > area.bottom + 2) continue;
      ctx.setTransform(1, 0, 0, 1, v.x + column * v.cell, v.y + row * v.cell);
      ctx.globalAlpha = 1;
      const p = Math.min(1, (now - effect.at) / effect.duration);
      EFFECTS[effect.kind](ctx, v.cell, p, { effect, sprites, colours: look.colours });
    }
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.globalAlpha = 1;
  }

  /**
   * Redraw the neighbours that have a border with this cell.
   * @param {number} cell
   */
  function touchAround(cell) {
    const { width, height, owners } = state.shown;
    if (cell % width > 0 && owners[cell - 1] !== NOBODY) dirty.add(cell - 1);
    if (cell % width < width - 1 && owners[cell + 1] !== NOBODY) dirty.add(cell + 1);
    if (cell >= width && owners[cell - width] !== NOBODY) dirty.add(cell - width);
    if (cell < width * (height - 1) && owners[cell + width] !== NOBODY) dirty.add(cell + width);
  }

  /** @param {number} cell */
  function take(cell) {
    state.shown.faces[cell] = state.wanted.faces[cell];
    state.shown.owners[cell] = state.wanted.owners[cell];
    dirty.add(cell);
  }

  /** @param {number} cell @param {number} oldFace @param {WaveKind} kind @param {number} at */
  function begin(cell, oldFace, kind, at) {
    take(cell);
    const { faces, owners } = state.shown;
    addEffect(state.motion, { kind, cell, at, oldFace, face: faces[cell], owner: owners[cell] });
  }

  /** @param {number} now */
  function frame(now) {
    scheduled = 0;
    if (ended) return;
    state.drawn.frames++;
    advance(state.motion, now, begin, take);
    dropEnded(state.motion, now);
    if (all || dirty.size) drawCells();
    drawMotion(now);
    if (overlay) {
      clear(layers.overlay);
      seen(layers.overlay, drawOverlay(layers.overlay, state, look.colours));
      overlay = false;
    }
    if (isMoving(state.motion)) request();
  }

  function request() {
    if (!scheduled && !ended) scheduled = requestAnimationFrame(frame);
  }

  return {
    /**
     * These cells look different now.
     * @param {Int32Array} cells
     */
    cells(cells) {
      cells.forEach(take);
      cells.forEach(touchAround);
      request();
    },
    /**
     * A wave begins over these cells.
     * @param {Int32Array} cells
     */
    wave(cells) {
      cells.forEach(touchAround);
      request();
    },
    all() {
      all = overlay = true;
      request();
    },
    overlay() {
      overlay = true;
      request();
    },
    /** An effect begins. */
    motion: request,
    resize() {
      const { width, height, ratio } = state.viewport;
      for (const name of LAYERS) {
        const { canvas } = layers[name];
        canvas.width = width;
        canvas.height = height;
        canvas.style.width = `${width / ratio}px`;
        canvas.style.height = `${height / ratio}px`;
      }
      this.all();
    },
    /** Colours or patterns have changed. */
    restyle() {
      sprites = createSprites(look);
      this.all();
    },
    destroy() {
      ended = true;
      cancelAnimationFrame(scheduled);
      for (const name of LAYERS) layers[name].canvas.remove();
    },
  };
}
