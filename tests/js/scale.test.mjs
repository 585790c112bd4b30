import assert from "node:assert/strict";
import { test } from "node:test";

import { ceiling, short } from "games/scale.js";

test("axes end at the next round number", () => {
  assert.deepEqual(
    [1, 1.2, 4, 7, 99, 1200].map((value) => ceiling(value)),
    [1, 2, 5, 10, 100, 2000],
  );
  assert.equal(ceiling(0), 1);
  assert.equal(ceiling(NaN), 1);
});

test("numbers are short", () => {
  assert.deepEqual([0.123, 12.34, 123.4, 9999, 12_345].map(short), ["0.12", "12", "123", "9999", "12k"]);
  assert.equal(short(null), "–");
});
