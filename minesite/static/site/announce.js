// Speaks to screen readers through the page's two live regions.

/** @param {string} text */
export function announce(text, urgency = "polite") {
  const region = document.getElementById(urgency === "assertive" ? "announce-now" : "announce");
  // An unchanged text would not be spoken again; a trailing no-break space makes it a new one.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text;
}
