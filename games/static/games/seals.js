// The seals that this browser was shown while a match was played: what the replay tells later is
// compared with them, so that not even the site could change both.

const KEY = "seals";
const KEPT = 100;

/** @returns {Map<string, string>} */
function stored() {
  try {
    return new Map(JSON.parse(localStorage.getItem(KEY) ?? "[]"));
  } catch {
    return new Map();
  }
}

/**
 * The first seal of a match counts.
 * @param {string} match
 * @param {string} seal
 */
export function noteSeal(match, seal) {
  const seals = stored();
  if (seals.has(match)) return;
  seals.set(match, seal);
  try {
    localStorage.setItem(KEY, JSON.stringify([...seals].slice(-KEPT)));
  } catch {
    // Without storage nothing is noted.
  }
}

/**
 * The seal that was seen here, or null.
 * @param {string} match
 */
export const notedSeal = (match) => stored().get(match) ?? null;
