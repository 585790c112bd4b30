// Tiles drawn once per zoom and look, then copied. createSprites(topo, look, scale) -> { tile(ctx, …) }.

import { hatch } from "games/board/colours.js";

import { outline } from "./camera.js";
import * as C from "./codes.js";
import { stamp } from "./icons.js";
import { css, mix } from "./look.js";
import { createSheets } from "./sheets.js";

/** @typedef {import("./look.js").Look} Look */
/** @typedef {import("./topology.js").Topology} Topology */

/** @typedef {import("./sheets.js").Sprite} Sprite */
/** @typedef {[Sprite, number, number][]} Plan sprites, and where their middles are */

const SMALLEST_DIGIT = 14; // device pixels across a tile; smaller ones are dots
const MOST = 3000; // things kept in the cache

const SHIELD = 1 << 26;
/** The bits of everything drawn on a tile's ground: all but kind, level, owner and protection. */
const THINGS = ~(0xff | SHIELD);
const ITEM_NAMES = ["", "mine", "decoy", "flashbang"];
const BUILT_NAMES = ["", "road", "barricade", "tower", "bridge"];

/**
 * @param {Topology} topo
 * @param {Look} look
 * @param {number} scale
 */
export function createSprites(topo, look, scale) {
  const corners = outline(topo, scale);
  const down = topo.hexagonal ? (2 * scale) / Math.sqrt(3) : scale;
  const [width, height] = [Math.ceil(scale) + 4, Math.ceil(down) + 4];
  const every = topo.hexagonal ? 1 : 2;
  const sheets = createSheets(width, height);
  const plain = createSheets(width, height);
  /** By kind, fog and owner. @type {Map<number, Sprite>} */
  const grounds = new Map();
  /** By owner and side. @type {Map<number, Sprite>} */
  const borders = new Map();
  /** @type {Map<string, Sprite>} */
  const things = new Map();
  /** Sprites of the layer above the land. @type {Map<string, Sprite>} */
  const washes = new Map();
  /** @type {Sprite | null} */
  let shield = null;

  /**
   * @template Key
   * @param {Map<Key, Sprite>} kept
   * @param {Key} key
   * @param {(ctx: CanvasRenderingContext2D) => void} draw
   */
  function sprite(kept, key, draw, on = sheets) {
    let found = kept.get(key);
    if (!found) kept.set(key, (found = on.add(draw)));
    return found;
  }

  /** @param {CanvasRenderingContext2D} ctx @param {number} grow */
  function trace(ctx, grow) {
    ctx.beginPath();
    corners.forEach(([x, y], i) => {
      const far = Math.hypot(x, y);
      const share = (far + grow) / far;
      if (i) ctx.lineTo(x * share, y * share);
      else ctx.moveTo(x * share, y * share);
    });
    ctx.closePath();
  }

  /** @param {CanvasRenderingContext2D} ctx @param {string} colour @param {number} share of the tile */
  function fill(ctx, colour, share) {
    trace(ctx, (share - 1) * Math.hypot(...corners[0]));
    ctx.fillStyle = colour;
    ctx.fill();
  }

  /** @param {CanvasRenderingContext2D} ctx */
  function rim(ctx) {
    trace(ctx, -0.22 * Math.hypot(...corners[0]));
    ctx.strokeStyle = look.ink;
    ctx.lineWidth = Math.max(1.5, scale / 16);
    ctx.stroke();
  }

  // -- ground ------------------------------------------------------------------------------------------

  /** @param {CanvasRenderingContext2D} ctx @param {number} kind @param {boolean} fog @param {number} owner */
  function ground(ctx, kind, fog, owner) {
    const bare = fog ? look.fog[kind] : look.kinds[kind];
    const empire = owner ? look.empire(owner) : null;
    const yours = owner > 0 && owner === look.you;
    const base = empire ? mix(bare, empire.rgb, yours ? 0.26 : 0.4) : bare;
    trace(ctx, 0.7);
    ctx.fillStyle = css(base);
    ctx.fill();
    if (kind !== C.WATER && scale >= 9) {
      // A fine line between tiles.
      trace(ctx, -0.2);
      ctx.strokeStyle = css(mix(base, [0, 0, 0], fog ? 0.07 : 0.13));
      ctx.lineWidth = Math.max(1, scale / 40);
      ctx.stroke();
    }
    ctx.save();
    trace(ctx, 0);
    ctx.clip();
    if (kind !== C.WATER) relief(ctx, kind, base, fog);
    if (empire && !yours && look.patterns && scale >= 8) {
      ctx.globalAlpha = 0.75;
      ctx.translate(-scale / 2, -scale / 2);
      hatch(ctx, empire.pattern, scale, empire.css);
      ctx.translate(scale / 2, scale / 2);
      ctx.globalAlpha = 1;
    }
    ctx.restore();
  }

  /** @param {CanvasRenderingContext2D} ctx @param {number} kind @param {any} base @param {boolean} fog */
  function relief(ctx, kind, base, fog) {
    const dark = css(mix(base, [0, 0, 0], fog ? 0.16 : 0.34));
    if (kind === C.MOUNTAIN || kind === C.FOREST) {
      stamp(ctx, kind === C.MOUNTAIN ? "mountain" : "forest", 0, 0, scale * 0.78, dark);
      if (kind === C.MOUNTAIN && scale >= 16) {
        ctx.fillStyle = css(mix(base, [255, 255, 255], fog ? 0.3 : 0.65));
        ctx.beginPath();
        ctx.moveTo(-scale * 0.1, -scale * 0.195);
        ctx.lineTo(-scale * 0.03, -scale * 0.05);
        ctx.lineTo(-scale * 0.17, -scale * 0.05);
        ctx.fill();
      }
    } else if (kind === C.DESTROYED && scale >= 10) {
      ctx.strokeStyle = dark;
      ctx.lineWidth = Math.max(1, scale / 22);
      ctx.beginPath();
      for (const [x1, y1, x2, y2] of [
        [-0.3, -0.12, -0.08, 0.02],
        [-0.08, 0.02, -0.16, 0.28],
        [-0.08, 0.02, 0.14, -0.08],
        [0.14, -0.08, 0.3, 0.1],
      ]) {
        ctx.moveTo(x1 * scale, y1 * scale);
        ctx.lineTo(x2 * scale, y2 * scale);
      }
      ctx.globalAlpha = 0.5;
      ctx.stroke();
      ctx.globalAlpha = 1;
    } else if (kind === C.FERTILE && scale >= 12) {
      ctx.fillStyle = dark;
      ctx.globalAlpha = 0.4;
      for (const [x, y] of [
        [-0.28, 0.22],
        [0.26, 0.24],
        [0, -0.38],
      ]) {
        ctx.beginPath();
        ctx.arc(x * scale, y * scale, scale / 26, 0, 7);
        ctx.fill();
      }
      ctx.globalAlpha = 1;
    }
  }

  /** One of the sides. @param {CanvasRenderingContext2D} ctx @param {string} colour @param {number} side */
  function border(ctx, colour, side) {
    trace(ctx, 0);
    ctx.clip();
    ctx.strokeStyle = colour;
    ctx.lineWidth = Math.max(2, scale / 6.5);
    ctx.lineCap = "round";
    ctx.beginPath();
    ctx.moveTo(...corners[side]);
    ctx.lineTo(...corners[(side + 1) % corners.length]);
    ctx.stroke();
  }

  // -- things ------------------------------------------------------------------------------------------

  /**
   * @param {CanvasRenderingContext2D} ctx
   * @param {number} code
   * @param {number} roads which neighbours a road leads to
   * @param {number} city 0: none; 1: nobody's; 2 and more: of empire - 1
   */
  function thing(ctx, code, roads, city) {
    const small = scale < SMALLEST_DIGIT;
    const built = C.structureOf(code);
    const pending = C.pendingOf(code);
    if (built === C.ROAD || pending === C.ROAD) road(ctx, roads, built !== C.ROAD);
    const other = built && built !== C.ROAD ? built : pending !== C.ROAD ? pending : 0;
    const item = C.itemOf(code);
    // Beside a digit there is room for half the size.
    const isBeside = C.digitOf(code) > 0 && (item > 0 || other > 0);
    if (other) {
      ctx.globalAlpha = other === built ? 1 : 0.5;
      const [x, y, size] = isBeside ? [-0.17, 0, 0.46] : [0, -0.04, 0.62];
      stamp(ctx, BUILT_NAMES[other], scale * x, scale * y, scale * size, look.ink, look.paper);
      ctx.globalAlpha = 1;
      if (other === built) pips(ctx, C.hpOf(code));
    }
    if (city) town(ctx, city - 1);
    if (C.hasSkull(code) && !C.isFlagged(code)) {
      ctx.globalAlpha = 0.6;
      stamp(ctx, "skull", small ? 0 : scale * 0.22, small ? 0 : -scale * 0.2, scale * (small ? 0.6 : 0.36), look.ink);
      ctx.globalAlpha = 1;
    }
    if (item) {
      const foreign = C.digitOf(code) >= 0;
      const size = scale * (foreign ? 0.42 : 0.56);
      stamp(ctx, ITEM_NAMES[item], foreign ? -scale * 0.2 : 0, foreign ? scale * 0.16 : 0, size, look.ink, look.paper);
    }
    digit(ctx, C.digitOf(code), C.isStarred(code), small, isBeside);
    if (C.isSmoked(code)) {
      ctx.globalAlpha = 0.85;
      stamp(ctx, "smoke", 0, 0, scale * 0.9, look.veil, look.ink);
      ctx.globalAlpha = 1;
    }
    if (C.isFlagged(code)) stamp(ctx, "flag", 0, 0, scale * 0.6, look.colours.flag, look.paper);
  }

  /** A rim; the overlay draws the time that is left. @param {CanvasRenderingContext2D} ctx */
  function protection(ctx) {
    trace(ctx, -scale * 0.12);
    ctx.strokeStyle = look.ink;
    ctx.globalAlpha = 0.28;
    ctx.lineWidth = Math.max(1, scale / 28);
    ctx.setLineDash([scale / 9, scale / 9]);
    ctx.stroke();
  }

  /** @param {CanvasRenderingContext2D} ctx @param {number} roads @param {boolean} planned */
  function road(ctx, roads, planned) {
    const half = scale / 2;
    ctx.lineCap = "round";
    for (const [colour, wide] of /** @type {[string, number][]} */ ([
      [look.ink, 0.28],
      [look.paper, 0.18],
    ])) {
      ctx.strokeStyle = colour;
      ctx.lineWidth = Math.max(1.5, scale * wide);
      ctx.globalAlpha = planned ? 0.4 : 0.9;
      ctx.beginPath();
      ctx.moveTo(0, 0);
      ctx.lineTo(0.01, 0);
      for (let i = 0; i < corners.length; i++) {
        if (!(roads & (1 << i))) continue;
        const [a, b] = [corners[i], corners[(i + 1) % corners.length]];
        const [x, y] = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
        const share = half / Math.hypot(x, y);
        ctx.moveTo(0, 0);
        ctx.lineTo(x * share, y * share);
      }
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
  }

  /** @param {CanvasRenderingContext2D} ctx @param {number} hp */
  function pips(ctx, hp) {
    if (scale < 20) return;
    const step = scale * 0.085;
    ctx.fillStyle = look.ink;
    for (let i = 0; i < hp; i++) {
      ctx.fillRect((i - (hp - 1) / 2) * step - step * 0.35, scale * 0.33, step * 0.7, step * 0.9);
    }
  }

  /** @param {CanvasRenderingContext2D} ctx @param {number} owner */
  function town(ctx, owner) {
    const size = scale * 0.44;
    ctx.beginPath();
    ctx.arc(0, 0, size, 0, 7);
    ctx.fillStyle = owner ? look.empire(owner).css : look.paper;
    ctx.fill();
    ctx.strokeStyle = look.ink;
    ctx.lineWidth = Math.max(1, scale / 20);
    ctx.stroke();
    stamp(
      ctx,
      "city",
      0,
      -scale * 0.02,
      scale * 0.56,
      owner ? "#fff" : look.ink,
      owner ? "rgb(0 0 0 / 0.45)" : undefined,
    );
  }

  /** @param {CanvasRenderingContext2D} ctx @param {number} value @param {boolean} star @param {boolean} small @param {boolean} beside */
  function digit(ctx, value, star, small, beside) {
    if (value < 1) return;
    const colour = look.colours.numbers[Math.min(value, 8)];
    if (small) {
      ctx.fillStyle = colour;
      ctx.beginPath();
      ctx.arc(0, 0, Math.max(1, scale / 5), 0, 7);
      ctx.fill();
      return;
    }
    const size = Math.round(scale * (beside ? 0.46 : 0.6));
    ctx.font = `800 ${size}px ${look.colours.display}`;
    ctx.textAlign = "center";
    ctx.textBaseline = "alphabetic";
    const [x, y] = [(star ? -scale * 0.07 : 0) + (beside ? scale * 0.16 : 0), size * 0.36 - (beside ? scale * 0.1 : 0)];
    ctx.lineWidth = Math.max(2, scale / 11);
    ctx.lineJoin = "round";
    ctx.strokeStyle = look.paper;
    ctx.globalAlpha = 0.8;
    ctx.strokeText(String(value), x, y);
    ctx.globalAlpha = 1;
    ctx.fillStyle = colour;
    ctx.fillText(String(value), x, y);
    if (star) ctx.fillText("*", x + size * 0.46, y);
  }

  return {
    scale,
    width,
    height,
    /**
     * Add the sprites of a tile with its middle at (x, y) to a plan.
     * @param {Plan} plan
     * @param {ArrayLike<number>} tiles
     * @param {number} cell
     * @param {number} x
     * @param {number} y
     * @param {Set<number>} cities
     */
    tile(plan, tiles, cell, x, y, cities) {
      const isCity = cities.has(cell);
      const code = tiles[cell];
      const kind = C.kindOf(code);
      const owner = C.ownerOf(code);
      const ring = topo.ring[cell];
      let edges = 0;
      if (owner) {
        for (let i = 0; i * every < ring.length; i++) {
          const other = ring[i * every];
          if (other < 0 || C.ownerOf(tiles[other]) !== owner) edges |= 1 << i;
        }
      }
      const fog = C.levelOf(code) === C.FOG;
      const bare = kind | (fog ? 8 : 0) | (owner << 4);
      plan.push([sprite(grounds, bare, (to) => ground(to, kind, fog, owner)), x, y]);
      for (let i = 0; edges >> i; i++) {
        if (!((edges >> i) & 1)) continue;
        plan.push([sprite(borders, owner * 8 + i, (to) => border(to, look.empire(owner).css, i)), x, y]);
      }
      if (code & SHIELD && scale >= SMALLEST_DIGIT) plan.push([(shield ??= sheets.add(protection)), x, y]);
      const rest = code & THINGS;
      if (!rest && !isCity) return;
      // A lone 0 is bare ground.
      if (rest === 1 << 20 && !isCity) return;
      let roads = 0;
      if (C.structureOf(code) === C.ROAD || C.pendingOf(code) === C.ROAD) {
        for (let i = 0; i * every < ring.length; i++) {
          const other = ring[i * every];
          if (other >= 0 && (leads(tiles[other]) || cities.has(other))) roads |= 1 << i;
        }
      }
      const city = isCity ? owner + 1 : 0;
      if (things.size > MOST) things.clear();
      const drawn = sprite(things, `${rest}.${roads}.${city}`, (to) => thing(to, code, roads, city));
      plan.push([drawn, x, y]);
    },
    /**
     * Draw a plan. All sprites are added to the sheets before any is copied: alternating would copy the whole
     * sheet each time.
     * @param {CanvasRenderingContext2D} ctx
     * @param {Plan} plan
     */
    draw(ctx, plan) {
      for (const [one, x, y] of plan) sheets.put(ctx, one, x, y);
    },
    /** Cover a tile with a colour. @param {CanvasRenderingContext2D} ctx @param {string} colour @param {number} x @param {number} y */
    wash(ctx, colour, x, y) {
      plain.put(
        ctx,
        sprite(washes, colour, (to) => fill(to, colour, 1), plain),
        x,
        y,
      );
    },
    /** Mark a tile where the armed tool can be used. @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y */
    target(ctx, x, y) {
      plain.put(
        ctx,
        sprite(washes, "target", (to) => fill(to, look.colours.pine, 0.8), plain),
        x,
        y,
      );
    },
    /** The rim of a tile that is protected. @param {CanvasRenderingContext2D} ctx @param {number} x @param {number} y */
    rim(ctx, x, y) {
      plain.put(ctx, sprite(washes, "rim", rim, plain), x, y);
    },
  };
}

/** @param {number} code */
const leads = (code) =>
  C.structureOf(code) === C.ROAD || C.structureOf(code) === C.BRIDGE || C.pendingOf(code) === C.ROAD;

/** @typedef {ReturnType<typeof createSprites>} Sprites */
