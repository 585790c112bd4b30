// Times as people read them.

/**
 * 75300 -> "1:15"; under a minute with `tenths` "0:15.3".
 * @param {number} ms
 */
export function clockText(ms, { tenths = false } = {}) {
  const left = Math.max(0, ms);
  const minutes = Math.floor(left / 60_000);
  const seconds = Math.floor(left / 1000) % 60;
  const text = `${minutes}:${String(seconds).padStart(2, "0")}`;
  return tenths ? `${text}.${Math.floor(left / 100) % 10}` : text;
}

/**
 * Seconds that are left, rounded up: "0" only when the time is over.
 * @param {number} ms
 */
export const secondsLeft = (ms) => Math.max(0, Math.ceil(ms / 1000));

/**
 * A countdown shows the second that is running.
 * @param {number} ms
 */
export const countdownText = (ms) => clockText(secondsLeft(ms) * 1000);
