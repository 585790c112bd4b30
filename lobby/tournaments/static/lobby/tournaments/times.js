// Shows times in the visitor's zone: every <time data-local>; with data-local="short", without the date if it
// is today.

import { findAll } from "site/dom.js";
import { language } from "site/i18n.js";

// The visitor's own habits, such as a clock of 24 hours, where they are of the page's language.
const locale =
  typeof navigator !== "undefined" && navigator.language?.startsWith(language) ? navigator.language : language;

/** @param {Date} one @param {Date} other */
const isSameDay = (one, other) => one.toDateString() === other.toDateString();

/**
 * @param {Date} at
 * @param {Date} now
 * @param {boolean} isShort
 */
export function localText(at, now, isShort) {
  /** @type {Intl.DateTimeFormatOptions} */
  const clock = { hour: "2-digit", minute: "2-digit" };
  if (isShort && isSameDay(at, now)) return new Intl.DateTimeFormat(locale, clock).format(at);
  /** @type {Intl.DateTimeFormatOptions} */
  const day = { weekday: "short", day: "numeric", month: "short" };
  return new Intl.DateTimeFormat(locale, { ...day, ...clock }).format(at);
}

export function showTimes(now = new Date()) {
  for (const element of /** @type {HTMLTimeElement[]} */ (findAll("time[data-local]"))) {
    const at = new Date(element.dateTime);
    element.textContent = localText(at, now, element.dataset.local === "short");
    element.title = at.toISOString().replace("T", " ").slice(0, 16) + " UTC";
  }
}

if (typeof document !== "undefined") showTimes();
