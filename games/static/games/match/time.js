// Formats times for people.

/**
 * 75312 -> "1:15"; with `tenths` "1:15.3", with `exact` "1:15.312".
 * @param {number} ms
 */
export function clockText(ms, { tenths = false, exact = false } = {}) {
  const left = Math.max(0, ms);
  const minutes = Math.floor(left / 60_000);
  const seconds = Math.floor(left / 1000) % 60;
  const text = `${minutes}:${String(seconds).padStart(2, "0")}`;
  if (exact) return `${text}.${String(Math.floor(left) % 1000).padStart(3, "0")}`;
  return tenths ? `${text}.${Math.floor(left / 100) % 10}` : text;
}

/** How far our estimate of the server's clock may be off: five seconds must not show as six. */
const SLACK_MS = 150;

/**
 * Seconds that are left, rounded up: "0" only when the time is over.
 * @param {number} ms
 */
export const secondsLeft = (ms) => Math.max(0, Math.ceil((ms - SLACK_MS) / 1000));

/**
 * The text of a countdown, which shows the current second.
 * @param {number} ms
 */
export const countdownText = (ms) => clockText(secondsLeft(ms) * 1000);
