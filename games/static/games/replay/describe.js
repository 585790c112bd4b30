// One event in words, for the line under the board and for screen readers.

import { n, t } from "site/i18n.js";

/** @import { GameEvent } from "games/match/types.d.ts" */
/** @import { Tell, TellReason, Words } from "games/replay/types.d.ts" */

/** @param {number} cell @param {number} width */
const column = (cell, width) => (cell % width) + 1;
/** @param {number} cell @param {number} width */
const row = (cell, width) => Math.floor(cell / width) + 1;

/**
 * The texts of the events that every mode has.
 * @param {Tell & { reason: TellReason }} tell
 * @returns {Words}
 */
const matchWords = ({ name, reason }) => ({
  ready: (e) =>
    e.ready === false
      ? t("{name} is no longer ready.", { name: name(e.seat) })
      : t("{name} is ready.", { name: name(e.seat) }),
  started: () => t("The match begins."),
  dropped: (e) => t("{name} lost the connection.", { name: name(e.seat) }),
  left: (e) => t("{name} left.", { name: name(e.seat) }),
  returned: (e) => t("{name} is back.", { name: name(e.seat) }),
  claimable: (e) => t("{name} has been away for too long.", { name: name(e.seat) }),
  retired: (e) => t("{name} is out.", { name: name(e.seat) }),
  clock: () => t("The site was down, so the clock stopped."),
  over: (e) => reason(e.outcome),
  refused: (e) => e.text,
});

/**
 * The texts of revealing and flagging (fold/moves.js).
 * @param {Pick<Tell, "at">} tell
 * @returns {Words}
 */
export const minefieldWords = ({ at }) => ({
  opened: (e) => n("One cell opens.", "{n} cells open.", e.cells.length),
  mine: (e) => t("A mine at {place}.", { place: at(e.cell) }),
  flagged: (e) =>
    e.on ? t("A flag at {place}.", { place: at(e.cell) }) : t("The flag at {place} is removed.", { place: at(e.cell) }),
});

/**
 * createDescriber({ players, columns, texts, words, start }) -> describe(event). `words(tell)` are the mode's:
 * a function per type of event; `tell` has name(seat), at(cell) and the view at the `start`.
 * @param {{ players: { name: string }[], columns: number, texts: { reason: TellReason }, words?: (tell: Tell) => Words, start?: any }} options
 * @returns {(event: GameEvent | null) => string}
 */
export function createDescriber({ players, columns, texts, words = () => ({}), start = null }) {
  /** @type {Tell} */
  const tell = {
    start,
    name: (seat) => players[seat]?.name ?? "",
    at: (cell) => t("row {row}, column {column}", { row: row(cell, columns), column: column(cell, columns) }),
  };
  const all = { ...matchWords({ ...tell, reason: texts.reason }), ...words(tell) };
  return (event) => (event ? (all[event.type]?.(event) ?? event.type) : t("Before the first move."));
}

/**
 * The cells that an event is about, to frame them on the board.
 * @param {GameEvent} event
 * @returns {number[]}
 */
export function cellsOf(event) {
  const cells = event.cells ?? (typeof event.cell === "number" ? [event.cell] : []);
  return cells.length > 12 ? cells.slice(0, 1) : cells;
}

/** @type {Record<string, () => { text: string, kind: string }>} */
const LABELS = {
  proven_safe: () => ({ text: t("proven safe"), kind: "good" }),
  avoidable_guess: () => ({ text: t("an unnecessary guess"), kind: "warn" }),
  forced_guess: () => ({ text: t("a forced guess"), kind: "info" }),
  known_mine: () => ({ text: t("a known mine"), kind: "bad" }),
};

/** @param {string} label */
export const labelText = (label) => LABELS[label]?.() ?? { text: label, kind: "" };
