// The layer over the map: legal targets, the armed tool, chosen tiles, orders in progress, sieges, the
// cursor.

import { outline, place } from "./camera.js";
import { stamp } from "./icons.js";

/** @typedef {import("./board.js").State} State */

/**
 * @typedef {object} Marks
 * @property {number[]} [targets] tiles where the armed tool can be used
 * @property {number[]} [chosen] tiles picked for an order
 * @property {boolean} [isPeaceful] the order destroys nothing
 * @property {{ cell: number, icon: string, allowed: boolean } | null} [ghost] the armed tool under the pointer
 * @property {{ cells: number[], icon: string, due: number, lasts: number }[]} [orders] in progress
 * @property {number[]} [sent] orders that the server has not confirmed
 * @property {number[]} [queued] captures that wait for the cooldown
 * @property {{ cell: number, by: number, falls: number, lasts: number }[]} [sieges]
 * @property {{ cell: number, text: string, under?: string }[]} [labels]
 * @property {{ cell: number }[]} [frames] the tiles of the latest event
 * @property {number} [menu] the tile that the menu is about, -1 for none
 * @property {{ cell: number, digit: number, star: boolean, open: boolean }[]} [foreign] other players' digits
 * @property {{ cell: number, until: number, lasts: number, smoke: boolean }[]} [rims] protection and smoke
 * @property {string | null} [regions] a letter per tile: draw the borders of the regions
 */

/** @param {CanvasRenderingContext2D} ctx @param {State} state @param {import("./sprites.js").Sprites} sprites */
export function drawOverlay(ctx, state, sprites) {
  const { camera, topo, look, marks } = state;
  const { scale } = camera;
  const corners = outline(topo, scale);

  /** @param {number} cell */
  function isSeen(cell) {
    const { x, y } = place(camera, cell);
    return x > -scale && y > -scale && x < camera.width + scale && y < camera.height + scale;
  }

  /** @param {number} cell @param {number} share */
  function trace(cell, share) {
    const { x, y } = place(camera, cell);
    corners.forEach(([dx, dy], i) =>
      i ? ctx.lineTo(x + dx * share, y + dy * share) : ctx.moveTo(x + dx * share, y + dy * share),
    );
    ctx.closePath();
  }

  /** @param {Iterable<number>} cells @param {string} colour @param {{ share?: number, fill?: number, line?: number, dash?: boolean }} how */
  function ring(cells, colour, { share = 0.86, fill = 0, line = 12, dash = false } = {}) {
    ctx.beginPath();
    for (const cell of cells) if (isSeen(cell)) trace(cell, share);
    if (fill) {
      ctx.globalAlpha = fill;
      ctx.fillStyle = colour;
      ctx.fill();
      ctx.globalAlpha = 1;
    }
    if (!line) return;
    ctx.strokeStyle = colour;
    ctx.lineWidth = Math.max(1.5, scale / line);
    ctx.setLineDash(dash ? [scale / 7, scale / 9] : []);
    ctx.stroke();
    ctx.setLineDash([]);
  }

  /** @param {number} cell @param {number} left 0 to 1 @param {string} colour @param {number} size */
  function arc(cell, left, colour, size) {
    const { x, y } = place(camera, cell);
    ctx.lineWidth = Math.max(3, scale / 7);
    ctx.strokeStyle = look.paper;
    ctx.globalAlpha = 0.7;
    ctx.beginPath();
    ctx.arc(x, y, scale * size, 0, 7);
    ctx.stroke();
    ctx.globalAlpha = 1;
    ctx.strokeStyle = colour;
    ctx.beginPath();
    ctx.arc(x, y, scale * size, -Math.PI / 2, -Math.PI / 2 + 2 * Math.PI * Math.max(0, Math.min(1, left)));
    ctx.stroke();
  }

  if (marks.regions) drawRegions(ctx, state, marks.regions);
  ctx.globalAlpha = 0.28;
  for (const cell of marks.targets ?? []) {
    const { x, y } = place(camera, cell);
    if (isSeen(cell)) sprites.target(ctx, x, y);
  }
  ctx.globalAlpha = 1;
  if (marks.chosen?.length) {
    ring(marks.chosen, marks.isPeaceful ? look.colours.pine : look.colours.flag, { fill: 0.3, line: 9 });
  }
  if (marks.queued?.length) ring(marks.queued, look.ink, { share: 0.6, line: 14, dash: true });
  if (marks.sent?.length) ring(marks.sent, look.ink, { share: 0.7, line: 16, dash: true });
  if (marks.frames?.length)
    ring(
      marks.frames.map(({ cell }) => cell),
      look.colours.amber,
      { share: 0.9, line: 8 },
    );
  const now = state.time();
  for (const { cell, until, lasts, smoke } of marks.rims ?? []) {
    const left = Math.min(1, (until - now) / lasts);
    if (left <= 0 || !isSeen(cell)) continue;
    const { x, y } = place(camera, cell);
    // After a flood there are hundreds of rims, so each is a copied sprite, and pale enough to keep digits
    // readable.
    ctx.globalAlpha = smoke ? 0.15 + 0.75 * left : 0.1 + 0.4 * left;
    if (!smoke) sprites.rim(ctx, x, y);
    else {
      ring([cell], look.veil, { share: 0.78, line: 9 });
      ctx.globalAlpha = 1;
      arc(cell, left, look.ink, 0.3);
    }
  }
  ctx.globalAlpha = 1;
  if (marks.menu !== undefined && marks.menu >= 0) ring([marks.menu], look.colours.amber, { share: 0.92, line: 8 });
  for (const { cells, icon, due, lasts } of marks.orders ?? []) {
    for (const cell of cells) {
      if (!isSeen(cell)) continue;
      const { x, y } = place(camera, cell);
      if (icon !== "capture") stamp(ctx, icon, x, y, scale * 0.44, look.ink, look.paper);
      arc(cell, 1 - (due - now) / lasts, look.ink, 0.34);
    }
  }
  for (const { cell, by, falls, lasts } of marks.sieges ?? []) {
    arc(cell, (falls - now) / lasts, by ? look.empire(by).css : look.ink, 0.72);
  }
  const { ghost } = marks;
  if (ghost && ghost.cell >= 0) {
    const { x, y } = place(camera, ghost.cell);
    ring([ghost.cell], ghost.allowed ? look.colours.pine : look.colours.flag, { line: 10 });
    ctx.globalAlpha = 0.75;
    if (ghost.icon !== "capture") stamp(ctx, ghost.icon, x, y, scale * 0.6, look.ink, look.paper);
    ctx.globalAlpha = 1;
  }
  for (const { cell, digit, star, open } of marks.foreign ?? []) {
    if (!isSeen(cell)) continue;
    const { x, y } = place(camera, cell);
    ring([cell], look.paper, { share: 0.8, fill: 0.8, line: 0 });
    ctx.font = `700 ${Math.max(9 * camera.ratio, scale * 0.5)}px ${look.colours.display}`;
    ctx.textAlign = "center";
    ctx.textBaseline = "middle";
    ctx.fillStyle = look.ink;
    ctx.fillText(`${digit}${star ? "*" : ""}${open ? "+" : ""}`, x, y);
    ctx.textBaseline = "alphabetic";
  }
  if (state.press) arc(state.press.cell, state.press.progress, look.colours.flag, 0.6);
  /** @param {string} text @param {number} x @param {number} y */
  function write(text, x, y) {
    ctx.strokeText(text, x, y);
    ctx.fillText(text, x, y);
  }
  for (const { cell, text, under } of marks.labels ?? []) {
    const { x, y } = place(camera, cell);
    const size = Math.max(12 * camera.ratio, Math.min(20 * camera.ratio, scale * 0.5));
    ctx.font = `700 ${size}px ${look.colours.display}`;
    ctx.textAlign = "center";
    ctx.lineWidth = size / 4;
    ctx.lineJoin = "round";
    ctx.strokeStyle = look.paper;
    ctx.fillStyle = look.ink;
    write(text, x, y - scale * 0.62);
    if (!under) continue;
    ctx.font = `600 ${size * 0.85}px ${look.colours.display}`;
    write(under, x, y + scale * 0.55 + size * 0.75);
  }
  if (state.cursorShown && state.cursor >= 0) {
    ring([state.cursor], look.paper, { share: 0.94, line: 6 });
    ring([state.cursor], look.ink, { share: 0.94, line: 14 });
  }
}

/** @param {CanvasRenderingContext2D} ctx @param {State} state @param {string} regions */
function drawRegions(ctx, { camera, topo, look }, regions) {
  const corners = outline(topo, camera.scale);
  const every = topo.hexagonal ? 1 : 2;
  ctx.beginPath();
  for (let cell = 0; cell < topo.size; cell++) {
    if (regions[cell] === ".") continue;
    const { x, y } = place(camera, cell);
    // Half of the sides are enough: each belongs to two tiles.
    for (let i = 0; i < corners.length / 2; i++) {
      const other = topo.ring[cell][i * every];
      if (other < 0 || regions[other] === regions[cell] || regions[other] === ".") continue;
      const [a, b] = [corners[i], corners[(i + 1) % corners.length]];
      ctx.moveTo(x + a[0], y + a[1]);
      ctx.lineTo(x + b[0], y + b[1]);
    }
  }
  ctx.strokeStyle = look.ink;
  ctx.globalAlpha = 0.75;
  ctx.lineWidth = Math.max(1.5, camera.scale / 12);
  ctx.setLineDash([camera.scale / 3, camera.scale / 4]);
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.globalAlpha = 1;
}
