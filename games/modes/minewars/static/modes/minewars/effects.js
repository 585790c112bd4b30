// Short effects on the map: a ripple over captured land, explosions, a refusal.

import { outline, place } from "./camera.js";

/** @typedef {import("./board.js").State} State */
/** @typedef {{ kind: string, cell: number, at: number, duration: number, colour?: string }} Effect */

/** @param {CanvasRenderingContext2D} ctx @param {[number, number][]} corners @param {number} x @param {number} y */
function tracePath(ctx, corners, x, y) {
  ctx.beginPath();
  corners.forEach(([dx, dy], i) => (i ? ctx.lineTo(x + dx, y + dy) : ctx.moveTo(x + dx, y + dy)));
  ctx.closePath();
}

/** @type {Record<string, (ctx: CanvasRenderingContext2D, state: State, at: { x: number, y: number }, done: number) => void>} */
const DRAW = {
  burst(ctx, { camera }, { x, y }, done) {
    const size = camera.scale * (0.3 + 1.1 * done);
    ctx.globalAlpha = 1 - done;
    const glow = ctx.createRadialGradient(x, y, 0, x, y, size);
    glow.addColorStop(0, "#fff3c4");
    glow.addColorStop(0.45, "#f59e2c");
    glow.addColorStop(1, "rgb(190 40 10 / 0)");
    ctx.fillStyle = glow;
    ctx.beginPath();
    ctx.arc(x, y, size, 0, 7);
    ctx.fill();
  },
  refuse(ctx, { topo, camera, look }, { x, y }, done) {
    ctx.globalAlpha = 1 - done;
    ctx.strokeStyle = look.colours.flag;
    ctx.lineWidth = Math.max(2, camera.scale / 9);
    tracePath(ctx, outline(topo, camera.scale * 0.86), x + Math.sin(done * 20) * camera.scale * 0.06 * (1 - done), y);
    ctx.stroke();
  },
  ping(ctx, { camera, look }, { x, y }, done) {
    ctx.globalAlpha = 1 - done;
    ctx.strokeStyle = look.colours.amber;
    ctx.lineWidth = Math.max(2, camera.scale / 8);
    ctx.beginPath();
    ctx.arc(x, y, camera.scale * (0.5 + 2.5 * ((done * 3) % 1)), 0, 7);
    ctx.stroke();
  },
};

/**
 * Draw the running effects and drop finished ones. Returns whether any are left.
 * @param {CanvasRenderingContext2D} ctx
 * @param {State} state
 * @param {import("./sprites.js").Sprites} sprites
 * @param {number} now
 */
export function drawEffects(ctx, state, sprites, now) {
  state.effects = state.effects.filter(({ at, duration }) => now < at + duration);
  const { camera } = state;
  for (const effect of state.effects) {
    const done = (now - effect.at) / effect.duration;
    if (done < 0) continue;
    const at = place(camera, effect.cell);
    const far = camera.scale * 3;
    if (at.x < -far || at.y < -far || at.x > camera.width + far || at.y > camera.height + far) continue;
    if (effect.kind === "take") {
      // There may be hundreds of these, so each is a copied sprite.
      ctx.globalAlpha = 0.75 * (1 - done);
      sprites.wash(ctx, effect.colour ?? state.look.paper, at.x, at.y);
    } else DRAW[effect.kind]?.(ctx, state, at, done);
  }
  ctx.globalAlpha = 1;
  return state.effects.length > 0;
}
