// A tournament's picture (lobby/tournaments/feed.py), and the messages that change it. No document: tests run
// it in Node.

/** @import { Change, Picture } from "lobby/tournaments/types.d.ts" */

/**
 * The picture after this message; null when one was missed, so that the page must ask for all of it.
 * @param {Picture} picture
 * @param {Picture | Change} message
 * @returns {Picture | null}
 */
export function applied(picture, message) {
  if (!("changed" in message)) return message;
  if (message.from !== picture.version) return message.version <= picture.version ? picture : null;
  const { changed, gone, ...facts } = message;
  Reflect.deleteProperty(facts, "from");
  const replaced = new Set([...gone, ...changed.map(({ id }) => id)]);
  const rows = [...picture.rows.filter(({ id }) => !replaced.has(id)), ...changed];
  rows.sort((a, b) => a.rank - b.rank || a.id - b.id);
  return { ...picture, ...facts, rows };
}

/** Half points as people write them. @param {number} doubled */
export function halves(doubled) {
  const whole = Math.floor(doubled / 2);
  if (doubled % 2 === 0) return String(whole);
  return whole ? `${whole}½` : "½";
}

/** Sonneborn-Berger counts quarters. @param {number} fourfold */
export const quarters = (fourfold) => String(fourfold / 4);

/** Minutes, seconds and tenths. @param {number} ms */
export function timeText(ms) {
  const seconds = String(Math.floor(ms / 1000) % 60).padStart(2, "0");
  return `${Math.floor(ms / 60_000)}:${seconds}.${Math.floor(ms / 100) % 10}`;
}

/** Hours, minutes and seconds until then. @param {number} ms */
export function countdown(ms) {
  const left = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}
