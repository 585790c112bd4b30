import assert from "node:assert/strict";
import { test } from "node:test";

import { createTrack } from "games/replay/track.js";

// A view that lists the folded events, so that tests notice an event that is folded twice or left out.
const fold = (view, event) => ({ seen: [...view.seen, event.n] });
const upTo = (count) => Array.from({ length: count }, (_, n) => n);

function track(count) {
  const events = upTo(count).map((n) => [n * 10, { n }]);
  return createTrack({ start: { seen: [] }, events }, fold);
}

test("any jump folds each event once, in order", () => {
  const subject = track(333);
  for (const target of [10, 333, 0, 149, 150, 151, 49, 50, 300, 1]) {
    assert.deepEqual(subject.seekIndex(target).seen, upTo(target));
    assert.equal(subject.index, target);
  }
});

test("a time includes the events of that very moment", () => {
  const subject = track(5);
  assert.equal(subject.countAt(-1), 0);
  assert.equal(subject.countAt(0), 1);
  assert.equal(subject.countAt(19), 2);
  assert.equal(subject.countAt(1000), 5);
  assert.deepEqual(subject.seek(20).seen, [0, 1, 2]);
  assert.deepEqual(subject.event, { n: 2 });
});

test("targets outside the match are its ends", () => {
  const subject = track(4);
  assert.deepEqual(subject.seekIndex(99).seen, upTo(4));
  assert.deepEqual(subject.seekIndex(-3).seen, []);
  assert.equal(subject.event, null);
  assert.equal(subject.timeOf(99), 30);
});
