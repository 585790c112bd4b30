// The line under the header for important messages such as "Return to match".

import { find, h } from "site/dom.js";

/** @param {string} text @param {{ href: string, label: string }} link */
export function showBanner(text, { href, label }) {
  find("#banner").replaceChildren(h("span", {}, text), h("a.button.primary.small", { href }, label));
}

export function hideBanner() {
  find("#banner").replaceChildren();
}
