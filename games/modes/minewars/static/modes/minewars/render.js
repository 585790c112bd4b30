// Draws the map in layers: land (ground and what is on it; only changed tiles are drawn again), motion
// (ripples, explosions) and overlay (cursor, targets, orders under way). At most once a frame.

import { h } from "site/dom.js";

import { place } from "./camera.js";
import { drawEffects } from "./effects.js";
import { drawOverlay } from "./overlay.js";
import { createSprites } from "./sprites.js";

/** @typedef {import("./board.js").State} State */

/**
 * @param {HTMLElement} element
 * @param {State} state
 */
export function createRenderer(element, state) {
  /** @param {string} name */
  function layer(name) {
    const canvas = h("canvas.board-layer", { "aria-hidden": "true" });
    canvas.dataset.layer = name;
    element.append(canvas);
    return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", { alpha: name !== "land" }));
  }
  const [land, motion, overlay] = ["land", "motion", "overlay"].map(layer);
  /** @type {import("./sprites.js").Sprites | null} */
  let sprites = null;
  /** @type {Set<number>} */
  const changed = new Set();
  const drawn = { x: 0, y: 0, scale: 0 };
  let whole = true;
  let above = true;
  let moved = false; // something is on the motion layer
  let asked = 0;

  function ask() {
    if (!asked) asked = requestAnimationFrame(frame);
  }

  /** Draw all tiles that touch this part of the canvas. @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 */
  function area(x0, y0, x1, y1) {
    const { camera, topo, tiles, cities } = state;
    if (!sprites) return;
    const [halfWide, halfHigh] = [sprites.width / 2, sprites.height / 2];
    land.save();
    land.beginPath();
    land.rect(x0, y0, x1 - x0, y1 - y0);
    land.clip();
    land.fillStyle = state.look.sea;
    land.fillRect(x0, y0, x1 - x0, y1 - y0);
    for (let cell = 0; cell < topo.size; cell++) {
      const { x, y } = place(camera, cell);
      if (x + halfWide < x0 || x - halfWide > x1 || y + halfHigh < y0 || y - halfHigh > y1) continue;
      sprites.tile(land, tiles, cell, x, y, cities.has(cell));
      state.drawn.tiles += 1;
    }
    land.restore();
  }

  /** The map moved without a change of scale: copy what stays, draw the new strips. */
  function shift() {
    const { width, height, x, y } = state.camera;
    const [dx, dy] = [x - drawn.x, y - drawn.y];
    if (!dx && !dy) return;
    if (Math.abs(dx) >= width || Math.abs(dy) >= height) return area(0, 0, width, height);
    land.globalCompositeOperation = "copy";
    land.drawImage(land.canvas, dx, dy);
    land.globalCompositeOperation = "source-over";
    if (dx > 0) area(0, 0, dx, height);
    if (dx < 0) area(width + dx, 0, width, height);
    if (dy > 0) area(0, 0, width, dy);
    if (dy < 0) area(0, height + dy, width, height);
  }

  function drawChanged() {
    const { camera, topo, tiles, cities } = state;
    if (!sprites) return;
    // Borders and roads depend on the neighbours.
    const cells = new Set(changed);
    for (const cell of changed) for (const n of topo.neighbours[cell]) cells.add(n);
    const { width, height } = sprites;
    for (const cell of cells) {
      const { x, y } = place(camera, cell);
      if (x < -width || y < -height || x > camera.width + width || y > camera.height + height) continue;
      sprites.tile(land, tiles, cell, x, y, cities.has(cell));
      state.drawn.tiles += 1;
    }
  }

  /** @param {number} now */
  function frame(now) {
    asked = 0;
    state.drawn.frames += 1;
    const { camera } = state;
    if (!sprites || sprites.scale !== camera.scale) {
      sprites = createSprites(state.topo, state.look, camera.scale);
      whole = true;
    }
    const still = camera.x === drawn.x && camera.y === drawn.y;
    if (whole) area(0, 0, camera.width, camera.height);
    else {
      if (!still) shift();
      if (changed.size) drawChanged();
    }
    Object.assign(drawn, { x: camera.x, y: camera.y, scale: camera.scale });
    changed.clear();
    whole = false;
    if (state.effects.length || moved) {
      motion.clearRect(0, 0, camera.width, camera.height);
      moved = drawEffects(motion, state, now);
    }
    if (above || !still || state.isTimed()) {
      overlay.clearRect(0, 0, camera.width, camera.height);
      drawOverlay(overlay, state);
      above = false;
    }
    if (moved || state.isTimed()) ask();
  }

  return {
    /** @param {Iterable<number>} cells */
    tiles(cells) {
      for (const cell of cells) changed.add(cell);
      ask();
    },
    overlay() {
      above = true;
      ask();
    },
    motion: ask,
    /** The camera may have moved. */
    camera() {
      above = true;
      ask();
    },
    all() {
      whole = above = true;
      ask();
    },
    /** Other colours, or another map. */
    restyle() {
      sprites = null;
      this.all();
    },
    resize() {
      const { width, height } = state.camera;
      for (const { canvas } of [land, motion, overlay]) {
        canvas.width = width;
        canvas.height = height;
        canvas.style.width = `${width / state.camera.ratio}px`;
        canvas.style.height = `${height / state.camera.ratio}px`;
      }
      this.all();
    },
    destroy() {
      cancelAnimationFrame(asked);
      for (const { canvas } of [land, motion, overlay]) canvas.remove();
    },
  };
}
