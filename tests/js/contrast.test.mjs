import assert from "node:assert/strict";
import { test } from "node:test";

import { contrast, distance, troubles } from "games/board/contrast.js";

test("contrast is WCAG's", () => {
  assert.equal(contrast("#000000", "#ffffff"), 21);
  assert.equal(contrast("#777777", "#777777"), 1);
  assert.ok(Math.abs(contrast("#777777", "#ffffff") - 4.48) < 0.01);
});

test("a colour is in trouble where it can't be seen or told from another", () => {
  assert.deepEqual(troubles(["#fffff0", "#1144cc"], 0), ["light"]);
  assert.deepEqual(troubles(["#d05050", "#1a7f37", "#d25454"], 0), [2]);
  assert.equal(distance("#123456", "#123456"), 0);
});
