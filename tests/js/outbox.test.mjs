import assert from "node:assert/strict";
import { test } from "node:test";

import { createOutbox } from "games/net/outbox.js";

const reveal = (cell) => ({ type: "reveal", cell });

test("a command waits, with an id of its own, until it is answered", () => {
  const outbox = createOutbox();
  const [first, second] = [outbox.add(reveal(1)), outbox.add(reveal(2))];
  assert.notEqual(first.id, second.id);
  assert.deepEqual(outbox.pending(), [first, second]);
  assert.deepEqual(outbox.done(first.id), reveal(1));
  assert.deepEqual(outbox.pending(), [second]);
});

test("an acknowledged command that the match refuses later is still known", () => {
  const outbox = createOutbox();
  const { id } = outbox.add(reveal(7));
  outbox.done(id);
  assert.deepEqual(outbox.done(id), reveal(7));
  assert.equal(outbox.done("nobody's"), null);
});

test("no more than thirty commands wait", () => {
  const outbox = createOutbox();
  const added = Array.from({ length: 31 }, (_, cell) => outbox.add(reveal(cell)));
  assert.equal(added.filter(Boolean).length, 30);
  assert.equal(outbox.size, 30);
  outbox.clear();
  assert.notEqual(outbox.add(reveal(0)), null);
});
