import assert from "node:assert/strict";
import { test } from "node:test";

const { applied, countdown, halves, quarters, timeText } = await import("lobby/tournaments/picture.js");

const row = (id, rank, score = 0) => ({ id, rank, name: `P${id}`, score });
const picture = { tournament: "cup", version: 3, status: "running", rows: [row(1, 1, 4), row(2, 2, 2), row(3, 3)] };

test("a difference changes, adds and removes rows, and keeps them in order", () => {
  const change = {
    tournament: "cup",
    from: 3,
    version: 5,
    status: "over",
    changed: [row(2, 1, 6), row(1, 2, 4), row(4, 3)],
    gone: [3],
  };
  const next = applied(picture, change);
  assert.deepEqual(next.rows, [row(2, 1, 6), row(1, 2, 4), row(4, 3)]);
  assert.equal(next.version, 5);
  assert.equal(next.status, "over");
  assert.ok(!("from" in next));
});

test("a page that missed a difference asks for everything; an old one changes nothing", () => {
  assert.equal(applied(picture, { from: 4, version: 5, changed: [], gone: [] }), null);
  assert.equal(applied(picture, { from: 1, version: 2, changed: [], gone: [] }), picture);
  const whole = { ...picture, version: 9 };
  assert.equal(applied(picture, whole), whole);
});

test("points and times as people write them", () => {
  assert.deepEqual([0, 1, 2, 5].map(halves), ["0", "½", "1", "2½"]);
  assert.equal(quarters(9), "2.25");
  assert.equal(timeText(83_460), "1:23.4");
  assert.deepEqual([59_001, 3_600_000, -5].map(countdown), ["1:00", "1:00:00", "0:00"]);
});
