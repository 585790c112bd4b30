// Shows the latest news over the map for a moment; the page's notices keep them and announce them.

import { h } from "site/dom.js";

const SHOWN = 6000; // ms
const MOST = 4;

/** @param {{ say: (text: string, how?: { kind?: string, now?: boolean }) => void }} notices */
export function createTicker(notices) {
  const element = h("ol.war-ticker", { "aria-hidden": "true" });
  return {
    element,
    /**
     * `how`: as for the page's notices; `key`: the key that jumps to the place.
     * @param {string} text
     * @param {{ kind?: string, now?: boolean, key?: string }} how
     */
    say(text, { key = "", ...how } = {}) {
      notices.say(text, how);
      const line = h(`li${how.kind ? `.${how.kind}` : ""}`, {}, text, key ? h("kbd", {}, key) : null);
      element.append(line);
      while (element.children.length > MOST) element.firstChild?.remove();
      setTimeout(() => line.remove(), SHOWN);
    },
  };
}
