// Animations: waves of tiles that open or close, and short effects. Headless: given a time, it says what to
// draw.
//
// A cell in a wave keeps its old face until the wave reaches it. A small wave then starts a separate effect {
// kind, cell, at, duration, ... } for the cell, which render.js draws. In a flood the cell goes through STEPS
// pictures, drawn once and copied: 3,000 effects a frame would be too many.

import { isHidden } from "./faces.js";

/** @import { Effect, Motion, Wave, WaveKind } from "games/board/types.d.ts" */

const LIFT = 170; // ms that one tile takes to change
const LONGEST_WAVE = 650; // ms until the last tile of a flood begins
const FLOOD = 250; // cells

export const STEPS = 6;
/** @type {WaveKind[]} */
const KINDS = ["open", "claim", "close"];
const GONE = -1; // in a wave's list: a cell that changed again, so the wave skips it

/**
 * `lifts`: for each cell of the board a code that `lift` decodes, or 0 for a cell at rest.
 * @returns {Motion}
 */
export function createMotion(cells = 1) {
  return { waves: [], effects: [], lifts: new Uint8Array(cells) };
}

/** @param {Motion} motion */
export const isMoving = (motion) => motion.waves.length > 0 || motion.effects.length > 0;

/**
 * Decodes a number in `lifts`: the effect's kind, its progress (0 to 1), whether the old tile was closed.
 * @param {number} code
 */
export function lift(code) {
  const rest = Math.floor(code / STEPS) - 1;
  return { kind: KINDS[rest >> 1], p: ((code % STEPS) + 0.5) / STEPS, covered: Boolean(rest & 1) };
}

/**
 * Let these cells change one after another, from `origin` outwards. `faces`: what they show until then.
 * @param {Motion} motion
 * @param {ArrayLike<number>} cells
 * @param {{ columns: number, origin: number, kind: WaveKind, now: number, faces: Uint8Array }} how
 */
export function startWave(motion, cells, { columns, origin, kind, now, faces }) {
  const count = cells.length;
  const [x, y] = [origin % columns, Math.floor(origin / columns)];
  const far = new Float32Array(count);
  let farthest = 1;
  for (let i = 0; i < count; i++) {
    const dx = (cells[i] % columns) - x;
    const dy = Math.floor(cells[i] / columns) - y;
    far[i] = Math.sqrt(dx * dx + dy * dy);
    if (far[i] > farthest) farthest = far[i];
  }
  // Counting sort by the millisecond in which each cell starts.
  const pace = Math.min(24, LONGEST_WAVE / farthest);
  const places = new Uint32Array(Math.ceil(farthest * pace) + 2);
  for (let i = 0; i < count; i++) places[Math.floor(far[i] * pace) + 1]++;
  for (let ms = 1; ms < places.length; ms++) places[ms] += places[ms - 1];
  /** @type {Wave} */
  const wave = {
    kind,
    flood: count > FLOOD,
    start: now,
    cells: new Int32Array(count),
    after: new Uint16Array(count), // ms from the start
    old: new Uint8Array(count), // faces
    reached: new Uint32Array(STEPS + 1), // how many cells have reached each step
  };
  for (let i = 0; i < count; i++) {
    const ms = Math.floor(far[i] * pace);
    const place = places[ms]++;
    wave.cells[place] = cells[i];
    wave.after[place] = ms;
    wave.old[place] = faces[cells[i]];
  }
  motion.waves.push(wave);
}

/**
 * These cells have changed again: remove them from all waves.
 * @param {Motion} motion
 * @param {Iterable<number>} cells
 */
export function forget(motion, cells) {
  if (motion.waves.length === 0) return;
  const changed = new Set(cells);
  for (const wave of motion.waves) {
    for (let i = wave.reached[STEPS]; i < wave.cells.length; i++) {
      if (!changed.has(wave.cells[i])) continue;
      motion.lifts[wave.cells[i]] = 0;
      wave.cells[i] = GONE;
    }
  }
}

/**
 * Calls `begun(cell, old, kind, at)` for each cell that a small wave has reached, and `stepped(cell)` for
 * each cell of a flood that looks different now, as encoded in `lifts`.
 * @param {Motion} motion
 * @param {number} now
 * @param {(cell: number, old: number, kind: WaveKind, at: number) => void} begun
 * @param {(cell: number) => void} stepped
 */
export function advance(motion, now, begun, stepped) {
  for (const wave of motion.waves) {
    const { cells, after, reached, flood } = wave;
    let above = 0;
    // Last step first, so that a cell that made several steps since the last frame is reported once.
    for (let step = flood ? STEPS : 0; step >= 0; step--) {
      const ripe = now - wave.start - (step * LIFT) / STEPS;
      let i = Math.max(reached[step], above);
      for (; i < cells.length && after[i] <= ripe; i++) {
        if (cells[i] === GONE) continue;
        if (flood) {
          motion.lifts[cells[i]] = step === STEPS ? 0 : code(wave, i, step);
          stepped(cells[i]);
        } else begun(cells[i], wave.old[i], wave.kind, wave.start + after[i]);
      }
      reached[step] = above = i;
    }
  }
  motion.waves = motion.waves.filter(({ cells, reached, flood }) => reached[flood ? STEPS : 0] < cells.length);
}

/** @param {Wave} wave @param {number} i @param {number} step */
function code(wave, i, step) {
  return (KINDS.indexOf(wave.kind) * 2 + Number(isHidden(wave.old[i])) + 1) * STEPS + step;
}

/** @param {Motion} motion @param {Omit<Effect, "duration"> & { duration?: number }} effect */
export function addEffect(motion, effect) {
  motion.effects.push({ duration: LIFT, ...effect });
}

/** @param {Motion} motion @param {number} now */
export function dropEnded(motion, now) {
  if (motion.effects.length === 0) return;
  motion.effects = motion.effects.filter((effect) => now < effect.at + effect.duration);
}
