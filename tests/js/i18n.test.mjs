import assert from "node:assert/strict";
import { test } from "node:test";

import { listed, n } from "site/i18n.js";

/** @param {string[]} absent */
const late = (absent) => n("{names} wasn’t ready.", "{names} weren’t ready.", absent.length, { names: listed(absent) });

test("a verb agrees with one name and with several", () => {
  assert.equal(late(["Ada"]), "Ada wasn’t ready.");
  assert.equal(late(["Ada", "Ben"]), "Ada and Ben weren’t ready.");
  assert.equal(late(["Ada", "Ben", "Cleo"]), "Ada, Ben and Cleo weren’t ready.");
});
