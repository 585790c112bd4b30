import assert from "node:assert/strict";
import { test } from "node:test";

import { createClock } from "games/net/clock.js";

function at(time) {
  const here = { time };
  return { here, clock: createClock(() => here.time) };
}

test("the quickest answer sets the clock, halfway through its round trip", () => {
  const { here, clock } = at(1000);
  assert.equal(clock.sample(900, 5000), 100); // left at 900, back at 1000: the server's 5000 was our 950
  assert.equal(clock.now(), 5050);
  here.time = 2000;
  clock.sample(1000, 9999); // a slow answer is less precise
  assert.equal(clock.now(), 6050);
  clock.sample(1990, 7000);
  assert.equal(clock.now(), 7005);
});

test("after a minute any answer is better than an old one", () => {
  const { here, clock } = at(0);
  clock.sample(0, 100);
  here.time = 60_001;
  clock.sample(60_000 - 999, 200_000);
  assert.equal(clock.now(), 200_500);
});

test("a guess counts only until the first answer", () => {
  const { clock } = at(0);
  clock.guess(500);
  assert.equal(clock.now(), 500);
  clock.sample(0, 900);
  clock.guess(1);
  assert.equal(clock.now(), 900);
});
