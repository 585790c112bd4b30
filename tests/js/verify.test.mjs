import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { beforeEach, test } from "node:test";

import { sealOf, verify } from "games/replay/verify.js";
import { notedSeal, noteSeal } from "games/seals.js";

beforeEach(() => {
  const kept = new Map();
  globalThis.localStorage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
  };
});

const seed = "00ff".repeat(16);
const seal = createHash("sha256")
  .update(Buffer.from(`${seed}0a`, "hex"))
  .digest("hex");
const replay = (shown) => ({ match: "m1", seed, deal: "0a", streams: { 0: { start: { commitment: shown } } } });

test("a seal is SHA-256 over seed and deal", async () => {
  assert.equal(await sealOf(seed, "0a"), seal);
});

test("a board that was changed after the start is found out", async () => {
  assert.equal((await verify(replay(seal))).good, true);
  assert.equal((await verify(replay("0".repeat(64)))).good, false);
});

test("the first seal that this browser saw counts, whatever the site says later", async () => {
  noteSeal("m1", "another");
  noteSeal("m1", seal);
  assert.equal(notedSeal("m1"), "another");
  assert.deepEqual(await verify(replay(seal)), { good: false, seal, shown: "another", noted: true });
});

test("old seals make room for new ones", () => {
  for (let n = 0; n < 101; n++) noteSeal(`m${n}`, String(n));
  assert.equal(notedSeal("m0"), null);
  assert.equal(notedSeal("m100"), "100");
});
