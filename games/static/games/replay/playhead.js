// createPlayhead(duration) -> the current moment of a replay: play, pause, seek, speed.

import { emitter } from "../emitter.js";

/** @import { Emitter } from "games/emitter.js" */

/** @param {number} duration */
export function createPlayhead(duration) {
  /** @type {Emitter<{ time: { time: number, why: string }, playing: boolean }>} */
  const events = emitter();
  let time = 0;
  let speed = 1;
  let playing = false;
  let last = 0;

  /** @param {string} why */
  function changed(why) {
    events.emit("time", { time, why });
  }

  /** @param {number} now */
  function frame(now) {
    if (!playing) return;
    time = Math.min(duration, time + (now - last) * speed);
    last = now;
    changed("play");
    if (time >= duration) head.pause();
    else requestAnimationFrame(frame);
  }

  const head = {
    on: events.on,
    get time() {
      return time;
    },
    get playing() {
      return playing;
    },
    get speed() {
      return speed;
    },
    play() {
      if (playing) return;
      if (time >= duration) time = 0;
      playing = true;
      last = performance.now();
      events.emit("playing", true);
      requestAnimationFrame(frame);
    },
    pause() {
      if (!playing) return;
      playing = false;
      events.emit("playing", false);
    },
    toggle: () => (playing ? head.pause() : head.play()),
    /** @param {number} to */
    seek(to) {
      time = Math.max(0, Math.min(duration, to));
      changed("seek");
    },
    /** @param {number} to */
    setSpeed(to) {
      speed = to;
    },
  };
  return head;
}
