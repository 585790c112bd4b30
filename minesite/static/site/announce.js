// Announces texts to screen readers through the page's two live regions: the first text right away, further
// texts within a second together, so that the reader can keep up.

import { find } from "site/dom.js";

const GAP = 1000; // ms
const MOST = 3; // how many texts, the newest, are announced together

/** @type {Record<string, { spoke: number, waiting: string[] }>} */
const regions = {
  polite: { spoke: -Infinity, waiting: [] },
  assertive: { spoke: -Infinity, waiting: [] },
};

/** @param {string} urgency */
function speak(urgency) {
  const { waiting } = regions[urgency];
  const text = waiting.splice(0).slice(-MOST).join(" ");
  const region = find(urgency === "assertive" ? "#announce-now" : "#announce");
  // Screen readers don't repeat an unchanged text; a trailing no-break space makes it a new one.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
  regions[urgency].spoke = performance.now();
}

/** @param {string} text @param {"polite" | "assertive"} urgency */
export function announce(text, urgency = "polite") {
  const region = regions[urgency];
  const left = region.spoke + GAP - performance.now();
  region.waiting.push(text);
  if (region.waiting.length > 1) return;
  if (left <= 0) speak(urgency);
  else setTimeout(speak, left, urgency);
}
