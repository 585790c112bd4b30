// Short synthesised sounds. Silent until the viewer turns sound on. Browsers allow sound only after a click
// or a key press, and turning it on is one.

/** @import { Sound } from "games/match/types.d.ts" */
/** @import { Prefs } from "games/prefs.js" */

/** @param {AudioContext} audio */
const now = (audio) => audio.currentTime;

/**
 * @param {AudioContext} audio
 * @param {AudioNode} out
 * @param {{ from: number, to?: number, at?: number, length?: number, type?: OscillatorType, gain?: number }} how
 */
function tone(audio, out, { from, to = from, at = 0, length = 0.12, type = "sine", gain = 0.25 }) {
  const start = now(audio) + at;
  const oscillator = audio.createOscillator();
  const envelope = audio.createGain();
  oscillator.type = type;
  oscillator.frequency.setValueAtTime(from, start);
  oscillator.frequency.exponentialRampToValueAtTime(to, start + length);
  envelope.gain.setValueAtTime(0, start);
  envelope.gain.linearRampToValueAtTime(gain, start + 0.008);
  envelope.gain.exponentialRampToValueAtTime(0.0008, start + length);
  oscillator.connect(envelope).connect(out);
  oscillator.start(start);
  oscillator.stop(start + length + 0.02);
}

/**
 * @param {AudioContext} audio
 * @param {AudioNode} out
 * @param {{ at?: number, length?: number, from?: number, to?: number, gain?: number }} how
 */
function noise(audio, out, { at = 0, length = 0.3, from = 1200, to = 200, gain = 0.3 }) {
  const start = now(audio) + at;
  const buffer = audio.createBuffer(1, audio.sampleRate * length, audio.sampleRate);
  const data = buffer.getChannelData(0);
  for (let i = 0; i < data.length; i++) data[i] = Math.random() * 2 - 1;
  const source = audio.createBufferSource();
  source.buffer = buffer;
  const filter = audio.createBiquadFilter();
  filter.type = "lowpass";
  filter.frequency.setValueAtTime(from, start);
  filter.frequency.exponentialRampToValueAtTime(to, start + length);
  const envelope = audio.createGain();
  envelope.gain.setValueAtTime(gain, start);
  envelope.gain.exponentialRampToValueAtTime(0.0008, start + length);
  source.connect(filter).connect(envelope).connect(out);
  source.start(start);
}

/** @type {(...notes: number[]) => (audio: AudioContext, out: AudioNode) => void} */
const chord =
  (...notes) =>
  (audio, out) =>
    notes.forEach((from, i) => tone(audio, out, { from, at: i * 0.09, length: 0.28, type: "triangle", gain: 0.2 }));

/** @type {Record<string, (audio: AudioContext, out: AudioNode) => void>} */
const SOUNDS = {
  open: (a, out) => tone(a, out, { from: 520, to: 640, length: 0.07, type: "triangle", gain: 0.16 }),
  flood: (a, out) =>
    [0, 1, 2, 3].forEach((i) =>
      tone(a, out, { from: 420 + i * 90, at: i * 0.045, length: 0.09, type: "triangle", gain: 0.13 }),
    ),
  flag: (a, out) => tone(a, out, { from: 880, to: 990, length: 0.06, type: "square", gain: 0.05 }),
  unflag: (a, out) => tone(a, out, { from: 700, to: 560, length: 0.06, type: "square", gain: 0.05 }),
  refuse: (a, out) => tone(a, out, { from: 190, to: 150, length: 0.1, type: "square", gain: 0.06 }),
  mine(a, out) {
    noise(a, out, { length: 0.5, from: 1800, to: 90, gain: 0.5 });
    tone(a, out, { from: 110, to: 40, length: 0.4, gain: 0.4 });
  },
  thaw: chord(523, 784),
  regenerate: (a, out) => noise(a, out, { length: 0.6, from: 300, to: 2400, gain: 0.16 }),
  stage: chord(392, 523, 659),
  start: chord(523, 659, 784),
  turn: (a, out) => tone(a, out, { from: 660, to: 880, length: 0.14, type: "triangle", gain: 0.16 }),
  splash: (a, out) => noise(a, out, { length: 0.32, from: 2600, to: 500, gain: 0.16 }),
  hit(a, out) {
    noise(a, out, { length: 0.3, from: 1400, to: 150, gain: 0.35 });
    tone(a, out, { from: 180, to: 70, length: 0.25, gain: 0.3 });
  },
  sunk(a, out) {
    SOUNDS.hit(a, out);
    [330, 262, 196].forEach((from, i) =>
      tone(a, out, { from, at: 0.15 + i * 0.12, length: 0.2, type: "sawtooth", gain: 0.08 }),
    );
  },
  hurry: (a, out) => tone(a, out, { from: 1000, length: 0.05, type: "square", gain: 0.05 }),
  win: chord(523, 659, 784, 1047),
  lose: chord(440, 392, 330, 262),
};

/** @param {Prefs} prefs @returns {Sound} */
export function createSound(prefs) {
  /** @type {{ audio: AudioContext, volume: GainNode } | null} */
  let output = null;

  function open() {
    const audio = new AudioContext();
    const volume = audio.createGain();
    volume.connect(audio.destination);
    return { audio, volume };
  }

  return {
    play(name) {
      if (!prefs.sound || !window.AudioContext || !navigator.userActivation?.hasBeenActive) return;
      output ??= open();
      const { audio, volume } = output;
      if (audio.state === "suspended") audio.resume();
      volume.gain.value = prefs.volume;
      SOUNDS[name]?.(audio, volume);
    },
  };
}
