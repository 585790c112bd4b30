import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { createPlayhead } from "games/replay/playhead.js";

let frames = [];

beforeEach(() => {
  frames = [];
  globalThis.requestAnimationFrame = (callback) => frames.push(callback);
});

/** Run the next frame, this long after the playhead started. */
const draw = (now) => frames.shift()(now);

test("time runs at the chosen speed and stops at the end", (context) => {
  context.mock.method(performance, "now", () => 0);
  const head = createPlayhead(1000);
  const told = [];
  head.on("playing", (playing) => told.push(playing));
  head.setSpeed(4);
  head.play();
  draw(100);
  assert.equal(head.time, 400);
  draw(900);
  assert.equal(head.time, 1000);
  assert.deepEqual(told, [true, false]);
  assert.equal(frames.length, 0);
});

test("at the end, play begins anew", (context) => {
  context.mock.method(performance, "now", () => 0);
  const head = createPlayhead(1000);
  head.seek(1000);
  head.play();
  draw(10);
  assert.equal(head.time, 10);
});

test("a pause draws nothing more, and a seek stays inside", () => {
  const head = createPlayhead(1000);
  head.toggle();
  head.toggle();
  assert.equal(head.playing, false);
  draw(50);
  assert.equal(head.time, 0);
  head.seek(-5);
  assert.equal(head.time, 0);
  head.seek(5000);
  assert.equal(head.time, 1000);
});
