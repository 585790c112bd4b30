// The seals that this browser saw during matches. The replay page compares them with the revealed seed and
// deal, so that not even the site could change a board unnoticed.

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
 * Note the seal of a match; the first one counts.
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
    // Without storage the seal isn't noted.
  }
}

/**
 * The seal that this browser saw, or null.
 * @param {string} match
 */
export const notedSeal = (match) => stored().get(match) ?? null;
