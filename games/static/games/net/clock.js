// Estimates the server's clock: keeps the offset from the fastest round trip of the last minute.

const KEEP = 60_000;

export function createClock(local = () => Date.now()) {
  let best = { offset: 0, rtt: Infinity, at: -Infinity };
  return {
    local,
    /**
     * A first estimate from one message, without knowing its latency.
     * @param {number} now
     */
    guess(now) {
      if (best.rtt === Infinity) best.offset = now - local();
    },
    /**
     * A ping sent at `at` (local) was answered at `now` (server's). Returns the round trip in ms.
     * @param {number} at
     * @param {number} now
     */
    sample(at, now) {
      const here = local();
      const rtt = Math.max(0, here - at);
      if (rtt <= best.rtt || here - best.at > KEEP) best = { offset: now - (at + rtt / 2), rtt, at: here };
      return rtt;
    },
    now: () => local() + best.offset,
  };
}
