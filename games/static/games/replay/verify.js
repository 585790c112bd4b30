// Checks, in the reader's own browser, that the board was not changed: SHA-256 over seed and deal
// must be the commitment that every player was shown before the first move.

function bytes(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

export async function sealOf(seed, deal) {
  const whole = new Uint8Array([...bytes(seed), ...bytes(deal)]);
  const digest = await crypto.subtle.digest("SHA-256", whole);
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** { good, seal, shown }; `shown` is what the players saw at the start of the match. */
export async function verify({ seed, deal, streams }) {
  const shown = Object.values(streams)[0].start.commitment;
  const seal = await sealOf(seed, deal ?? "");
  return { good: seal === shown, seal, shown };
}
