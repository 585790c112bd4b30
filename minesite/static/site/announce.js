// Speaks to screen readers through the page's two live regions.

import { find } from "site/dom.js";

/** @param {string} text */
export function announce(text, urgency = "polite") {
  const region = find(urgency === "assertive" ? "#announce-now" : "#announce");
  // An unchanged text would not be spoken again; a trailing no-break space makes it a new one.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}
