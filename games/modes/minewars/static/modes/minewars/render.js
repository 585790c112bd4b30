// Draws the map in two layers: the land and everything on it (only changed tiles are redrawn), and above it
// effects (ripples, explosions) and marks (cursor, targets, orders in progress). At most once a frame.

import { h } from "site/dom.js";

import { place } from "./camera.js";
import { drawEffects } from "./effects.js";
import { drawOverlay } from "./overlay.js";
import { createSprites } from "./sprites.js";

/** @typedef {import("./board.js").State} State */
/** @typedef {import("./camera.js").Camera} Camera */

const ZOOMS = 4; // zoom levels whose sprites are cached
const BATCH = 80; // tiles redrawn in one frame
const MARGIN = 64; // CSS pixels drawn beyond each edge of the window

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
  const [land, over] = ["land", "above"].map(layer);
  /** @type {import("./sprites.js").Sprites | null} */
  let sprites = null;
  /** The sprites of the last zoom levels, newest last. @type {import("./sprites.js").Sprites[]} */
  let kept = [];
  /** @type {Set<number>} */
  const changed = new Set();
  /**
   * The camera that the land was drawn with: the window and a margin around it. While a drag stays within the
   * margin, the canvas is moved and nothing is drawn.
   */
  let shown = state.camera;
  /** The same for the layer above the land. */
  let shownAbove = state.camera;
  let margin = 0;
  let whole = true;
  let above = true;
  let moved = false; // something above the land moves
  let landLast = false; // the last frame drew land
  let asked = 0;

  function ask() {
    if (!asked) asked = requestAnimationFrame(frame);
  }

  /** The camera of the canvases, for a camera of the window. @param {Camera} camera */
  const widened = (camera) => ({
    ...camera,
    x: camera.x + margin,
    y: camera.y + margin,
    width: camera.width + 2 * margin,
    height: camera.height + 2 * margin,
  });

  /** Draw all tiles that touch this part of the canvas. @param {number} x0 @param {number} y0 @param {number} x1 @param {number} y1 */
  function area(x0, y0, x1, y1) {
    const { topo, tiles, cities } = state;
    if (!sprites) return;
    const [halfWide, halfHigh] = [sprites.width / 2, sprites.height / 2];
    land.save();
    land.beginPath();
    land.rect(x0, y0, x1 - x0, y1 - y0);
    land.clip();
    land.fillStyle = state.look.sea;
    land.fillRect(x0, y0, x1 - x0, y1 - y0);
    /** @type {import("./sprites.js").Plan} */
    const plan = [];
    for (let cell = 0; cell < topo.size; cell++) {
      const { x, y } = place(shown, cell);
      if (x + halfWide < x0 || x - halfWide > x1 || y + halfHigh < y0 || y - halfHigh > y1) continue;
      sprites.tile(plan, tiles, cell, x, y, cities);
      state.drawn.tiles += 1;
    }
    sprites.draw(land, plan);
    land.restore();
  }

  /**
   * Shift the map without a change of scale: copy the part that stays, draw the new strips.
   * @param {number} dx
   * @param {number} dy
   */
  function shift(dx, dy) {
    const { width, height } = shown;
    if (Math.abs(dx) >= width || Math.abs(dy) >= height) return area(0, 0, width, height);
    land.globalCompositeOperation = "copy";
    land.drawImage(land.canvas, dx, dy);
    land.globalCompositeOperation = "source-over";
    if (dx > 0) area(0, 0, dx, height);
    if (dx < 0) area(width + dx, 0, width, height);
    if (dy > 0) area(0, 0, width, dy);
    if (dy < 0) area(0, height + dy, width, height);
  }

  /** Draw a batch of the changed tiles: a flood takes a few frames. */
  function drawChanged() {
    const { topo, tiles, cities } = state;
    if (!sprites) return;
    /** @type {Set<number>} */
    const cells = new Set();
    for (const cell of changed) {
      if (cells.size > BATCH) break;
      changed.delete(cell);
      // Borders and roads depend on the neighbours.
      cells.add(cell);
      for (const n of topo.neighbours[cell]) cells.add(n);
    }
    const { width, height } = sprites;
    /** @type {import("./sprites.js").Plan} */
    const plan = [];
    for (const cell of cells) {
      const { x, y } = place(shown, cell);
      if (x < -width || y < -height || x > shown.width + width || y > shown.height + height) continue;
      sprites.tile(plan, tiles, cell, x, y, cities);
      state.drawn.tiles += 1;
    }
    sprites.draw(land, plan);
  }

  /**
   * Move a canvas to the camera's position; false if that is beyond its margin and it must be redrawn.
   * @param {CanvasRenderingContext2D} layer
   * @param {Camera} from what the canvas shows
   * @param {Camera} next
   */
  function slide({ canvas }, from, next) {
    const [dx, dy] = [next.x - from.x, next.y - from.y];
    if (Math.abs(dx) > margin || Math.abs(dy) > margin) return false;
    const { ratio } = state.camera;
    const transform = dx || dy ? `translate(${dx / ratio}px, ${dy / ratio}px)` : "";
    if (canvas.style.transform !== transform) canvas.style.transform = transform;
    return true;
  }

  /** Move the land, and draw what is missing or changed. Returns whether anything was drawn. @param {Camera} next */
  function drawLand(next) {
    if (!whole && slide(land, shown, next)) {
      // While both layers change they take turns: a frame has time for only one of them.
      if (!changed.size || (landLast && isWanted())) return false;
      drawChanged();
      return true;
    }
    const [dx, dy] = [next.x - shown.x, next.y - shown.y];
    shown = next;
    slide(land, shown, next);
    if (whole) {
      area(0, 0, next.width, next.height);
      changed.clear();
    } else shift(dx, dy);
    return true;
  }

  /** Whether the layer above the land must be drawn as soon as there is time. */
  const isWanted = () => above || moved || state.effects.length > 0;

  /** @param {Camera} next @param {import("./sprites.js").Sprites} used @param {number} now */
  function drawAbove(next, used, now) {
    shownAbove = next;
    slide(over, next, next);
    over.clearRect(0, 0, next.width, next.height);
    const seen = { ...state, camera: next };
    moved = drawEffects(over, seen, used, now);
    state.effects = seen.effects;
    drawOverlay(over, seen, used);
    above = false;
  }

  /** @param {number} now */
  function frame(now) {
    asked = 0;
    state.drawn.frames += 1;
    const { camera } = state;
    if (!sprites || sprites.scale !== camera.scale) {
      sprites = kept.find(({ scale }) => scale === camera.scale) ?? null;
      sprites ??= createSprites(state.topo, state.look, camera.scale);
      kept = [...kept.filter((one) => one !== sprites), sprites].slice(-ZOOMS);
      whole = true;
    }
    const next = widened(camera);
    const all = whole;
    landLast = drawLand(next);
    whole = false;
    // Marks that change only with time are drawn in every second frame.
    const isTimed = state.isTimed();
    const [dx, dy] = [next.x - shownAbove.x, next.y - shownAbove.y];
    const isFar = 2 * Math.max(Math.abs(dx), Math.abs(dy)) > margin; // so both layers don't hit their margin at once
    const wanted = isFar || isWanted() || (isTimed && state.drawn.frames % 2 === 0);
    if (all || !slide(over, shownAbove, next) || (wanted && !landLast)) drawAbove(next, sprites, now);
    if (isWanted() || isTimed || changed.size) ask();
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
    camera: ask,
    all() {
      whole = above = true;
      ask();
    },
    /** Other colours, or another map. */
    restyle() {
      sprites = null;
      kept = [];
      this.all();
    },
    resize() {
      const { ratio } = state.camera;
      margin = Math.round(MARGIN * ratio);
      const { width, height } = widened(state.camera);
      for (const { canvas } of [land, over]) {
        canvas.width = width;
        canvas.height = height;
        canvas.style.inset = `${-margin / ratio}px auto auto ${-margin / ratio}px`;
        canvas.style.width = `${width / ratio}px`;
        canvas.style.height = `${height / ratio}px`;
      }
      this.all();
    },
    destroy() {
      cancelAnimationFrame(asked);
      for (const { canvas } of [land, over]) canvas.remove();
    },
  };
}
