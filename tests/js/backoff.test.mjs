import assert from "node:assert/strict";
import { test } from "node:test";

import { backoff } from "games/net/socket.js";

const pause = { first: 250, longest: 8000 };

test("the wait doubles up to a limit", () => {
  const waits = [0, 1, 2, 5, 6, 50].map((attempt) => backoff(attempt, pause, 1));
  assert.deepEqual(waits, [250, 500, 1000, 8000, 8000, 8000]);
});

test("chance takes away at most half of it", () => {
  assert.equal(backoff(2, pause, 0), 500);
});
