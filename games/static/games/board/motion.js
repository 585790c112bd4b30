// What moves: waves of tiles that open or close, and short effects. Headless: time comes in, and
// what to draw at that time comes out.
//
// A cell in a wave keeps its old face on the grid until the wave reaches it. An effect is
// { kind, cell, at, duration }; render.js knows how each kind looks.

const LIFT = 170; // ms that one tile takes to go
const LONGEST_WAVE = 650; // ms until the last tile of a flood begins

export function createMotion() {
  return { waiting: [], effects: [] };
}

export const isMoving = (motion) => motion.waiting.length > 0 || motion.effects.length > 0;

/** Let these changes { cell, face, owner, oldFace, oldOwner } happen one after another, from
    `origin` outwards. */
export function startWave(motion, changes, { columns, origin, kind, now }) {
  const far = (cell) =>
    Math.hypot((cell % columns) - (origin % columns), Math.floor(cell / columns) - Math.floor(origin / columns));
  const farthest = Math.max(1, ...changes.map((change) => far(change.cell)));
  const step = Math.min(24, LONGEST_WAVE / farthest);
  for (const change of changes) motion.waiting.push({ ...change, kind, at: now + far(change.cell) * step });
  motion.waiting.sort((a, b) => a.at - b.at);
}

/** The changes whose time has come; they leave the queue, and go on as effects of their kind. */
export function ripen(motion, now) {
  let count = 0;
  while (count < motion.waiting.length && motion.waiting[count].at <= now) count++;
  const ripe = motion.waiting.splice(0, count);
  for (const change of ripe) motion.effects.push({ ...change, duration: LIFT });
  return ripe;
}

export function addEffect(motion, effect) {
  motion.effects.push({ duration: 500, ...effect });
}

export function dropEnded(motion, now) {
  motion.effects = motion.effects.filter((effect) => now < effect.at + effect.duration);
}

/** Everything that waits happens at once; returns it. */
export function settle(motion) {
  const waiting = motion.waiting;
  motion.waiting = [];
  motion.effects = [];
  return waiting;
}
