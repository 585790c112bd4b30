// Folds recorded streams and compares them with the engine's views: `node fold_parity.mjs FOLD MODE FILE`,
// where FOLD is games/fold/fold.js and MODE the mode's fold.js.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [shared, own, file] = process.argv.slice(2);
const { createFold } = await import(pathToFileURL(shared).href);
const mode = await import(pathToFileURL(own).href);
const fold = createFold(mode.fold);
let steps = 0;
for (const { name, start, stream } of JSON.parse(readFileSync(file, "utf8"))) {
  let view = start;
  for (const [at, { events, after }] of stream.entries()) {
    for (const event of events) view = fold(view, event);
    assert.deepEqual(view, after, `${name}, step ${at}: ${JSON.stringify(events)}`);
    steps += 1;
  }
}
console.log(steps);
