// The whole map in small: fog, owners, cities, and the part that the board shows. A press moves the board
// there.

import { h } from "site/dom.js";

import { cellAt, centreOf, createCamera, extent } from "./camera.js";
import { FOG, kindOf, levelOf, ownerOf } from "./codes.js";
import { css, mix } from "./look.js";

const SIZE = 150; // CSS pixels across

/** @param {import("./board.js").WarBoard} board @param {string} label */
export function createMinimap(board, label) {
  const canvas = h("canvas.war-minimap", { "aria-hidden": "true", title: label });
  const land = document.createElement("canvas");
  const ratio = Math.max(1, window.devicePixelRatio || 1);
  let step = 1;
  let [width, height] = [1, 1];
  /** @type {Set<number> | null} */
  let changed = null; // null: redraw all tiles
  let asked = 0;
  /** @type {Map<number, string>} */
  const colours = new Map();
  /** The look that `colours` were computed for. @type {import("./look.js").Look | null} */
  let seen = null;
  /** Pings that are still shown. @type {{ cell: number, began: number, duration: number }[]} */
  let pings = [];

  function measure() {
    const { across, down } = extent(board.state.topo);
    step = (SIZE * ratio) / across;
    [width, height] = [Math.round(SIZE * ratio), Math.round(down * step)];
    for (const one of [canvas, land]) Object.assign(one, { width, height });
  }

  /** @param {import("./look.js").Look} look @param {number} kind @param {boolean} fog @param {number} owner */
  function colourOf(look, kind, fog, owner) {
    if (look !== seen) (colours.clear(), (seen = look));
    const key = kind | (fog ? 8 : 0) | (owner << 4);
    let found = colours.get(key);
    if (!found) {
      const bare = (fog ? look.fog : look.kinds)[kind];
      colours.set(key, (found = css(owner ? mix(bare, look.empire(owner).rgb, 0.75) : bare)));
    }
    return found;
  }

  /** @param {CanvasRenderingContext2D} ctx @param {number} cell */
  function dot(ctx, cell) {
    const { topo, tiles, look, cities } = board.state;
    const code = tiles[cell];
    const at = centreOf(topo, cell);
    const [x, y] = [width / 2 + at.x * step, height / 2 + at.y * step];
    const owner = ownerOf(code);
    ctx.fillStyle = colourOf(look, kindOf(code), levelOf(code) === FOG, owner);
    ctx.fillRect(Math.floor(x - step / 2), Math.floor(y - step / 2), Math.ceil(step), Math.ceil(step));
    if (!cities.has(cell)) return;
    ctx.fillStyle = look.ink;
    ctx.beginPath();
    ctx.arc(x, y, Math.max(3 * ratio, step), 0, 7);
    ctx.fill();
    ctx.fillStyle = owner ? look.empire(owner).css : look.paper;
    ctx.beginPath();
    ctx.arc(x, y, Math.max(2 * ratio, step * 0.6), 0, 7);
    ctx.fill();
  }

  function draw() {
    asked = 0;
    const { state } = board;
    const ground = land.getContext("2d");
    const ctx = canvas.getContext("2d");
    if (!ground || !ctx) return;
    if (changed === null) {
      measure();
      for (let cell = 0; cell < state.topo.size; cell++) dot(ground, cell);
    } else for (const cell of changed) dot(ground, cell);
    for (const cell of state.cities) dot(ground, cell);
    changed = new Set();
    ctx.clearRect(0, 0, width, height);
    ctx.drawImage(land, 0, 0);
    const { camera } = state;
    const share = step / camera.scale;
    ctx.strokeStyle = state.look.ink;
    ctx.lineWidth = 1.5 * ratio;
    ctx.strokeRect(
      width / 2 - camera.x * share,
      height / 2 - camera.y * share,
      camera.width * share,
      camera.height * share,
    );
    drawPings(ctx);
  }

  /** Rings that close in on a tile. @param {CanvasRenderingContext2D} ctx */
  function drawPings(ctx) {
    const now = performance.now();
    pings = pings.filter(({ began, duration }) => now < began + duration);
    for (const { cell, began, duration } of pings) {
      const at = centreOf(board.state.topo, cell);
      const turn = board.moves ? (((now - began) / duration) * 3) % 1 : 0.5;
      ctx.strokeStyle = board.state.look.colours.flag;
      ctx.lineWidth = 2 * ratio;
      ctx.beginPath();
      ctx.arc(width / 2 + at.x * step, height / 2 + at.y * step, (3 + 9 * (1 - turn)) * ratio, 0, 7);
      ctx.stroke();
    }
    if (pings.length) ask();
  }

  function ask() {
    if (!asked) asked = requestAnimationFrame(draw);
  }

  /** @param {PointerEvent} event */
  function go(event) {
    const box = canvas.getBoundingClientRect();
    const shown = { ...createCamera(board.state.topo), scale: step, x: width / 2, y: height / 2 };
    const cell = cellAt(
      shown,
      (event.clientX - box.x) * (width / box.width),
      (event.clientY - box.y) * (height / box.height),
    );
    if (cell >= 0) board.look(cell);
  }

  canvas.addEventListener("pointerdown", (event) => {
    canvas.setPointerCapture(event.pointerId);
    go(event);
  });
  canvas.addEventListener("pointermove", (event) => event.buttons && go(event));
  board.on("viewport", ask);
  board.on("ping", (/** @type {{ cell: number, duration: number }} */ { cell, duration }) => {
    pings.push({ cell, began: performance.now(), duration });
    ask();
  });
  board.on("tiles", (/** @type {number[] | null} */ cells) => {
    if (cells === null) changed = null;
    else if (changed) for (const cell of cells) changed.add(cell);
    ask();
  });
  ask();
  return canvas;
}
