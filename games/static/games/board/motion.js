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

/** Let these changes { cell, face, owner, oldFace } happen one after another, from `origin` outwards.
    The objects are kept: they become the effects. */
export function startWave(motion, changes, { columns, origin, kind, now }) {
  const [x, y] = [origin % columns, Math.floor(origin / columns)];
  let farthest = 1;
  for (const change of changes) {
    const [dx, dy] = [(change.cell % columns) - x, Math.floor(change.cell / columns) - y];
    change.at = Math.sqrt(dx * dx + dy * dy);
    farthest = Math.max(farthest, change.at);
  }
  const step = Math.min(24, LONGEST_WAVE / farthest);
  for (const change of changes) {
    change.at = now + change.at * step;
    change.kind = kind;
    change.duration = LIFT;
  }
  motion.waiting = [...motion.waiting, ...changes].sort((a, b) => a.at - b.at);
}

/** The changes whose time has come; they leave the queue, and go on as effects of their kind. */
export function ripen(motion, now) {
  const { waiting } = motion;
  let count = 0;
  while (count < waiting.length && waiting[count].at <= now) count++;
  if (count === 0) return [];
  const ripe = waiting.slice(0, count);
  motion.waiting = waiting.slice(count);
  motion.effects = motion.effects.concat(ripe);
  return ripe;
}

export function addEffect(motion, effect) {
  motion.effects.push({ duration: 500, ...effect });
}

export function dropEnded(motion, now) {
  if (motion.effects.length === 0) return;
  motion.effects = motion.effects.filter((effect) => now < effect.at + effect.duration);
}

/** Everything that waits happens at once; returns it. */
export function settle(motion) {
  const waiting = motion.waiting;
  motion.waiting = [];
  motion.effects = [];
  return waiting;
}
