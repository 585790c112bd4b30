// Checks, in the reader's own browser, that the board was not changed: SHA-256 over seed and deal must equal
// the seal that this browser noted before the first move, or, if it noted none, the seal in the replay's
// first view.

import { notedSeal } from "../seals.js";

/** @import { ReplayData } from "games/replay/types.d.ts" */

/** @param {string} hex */
function bytes(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

/** @param {string} seed @param {string} deal */
export async function sealOf(seed, deal) {
  const whole = new Uint8Array([...bytes(seed), ...bytes(deal)]);
  const digest = await crypto.subtle.digest("SHA-256", whole);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * { good, seal, shown, noted }; `shown` is the seal that the players saw at the start of the match, `noted`
 * whether this browser saw it itself.
 * @param {ReplayData} replay
 */
export async function verify({ match, seed, deal, streams }) {
  const seen = notedSeal(match);
  const shown = seen ?? Object.values(streams)[0].start.commitment;
  const seal = await sealOf(seed, deal ?? "");
  return { good: seal === shown, seal, shown, noted: seen !== null };
}
