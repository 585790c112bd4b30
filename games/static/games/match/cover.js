// A sheet over the board: one at a time, the most important first.

import { h } from "site/dom.js";

/** @import { Cover } from "games/match/types.d.ts" */

const ORDER = ["network", "freeze", "ready"];

/** @returns {Cover} */
export function createCover() {
  /** @type {Map<string, HTMLElement>} */
  const wanted = new Map();
  const element = h("div.cover", { hidden: true });

  function draw() {
    const key = ORDER.find((name) => wanted.has(name));
    const content = wanted.get(key ?? "");
    element.hidden = !content;
    element.dataset.kind = key ?? "";
    if (!content) return element.replaceChildren();
    if (element.firstChild === content) return;
    element.replaceChildren(content);
    /** @type {HTMLElement | null} */ (content.querySelector("[autofocus]"))?.focus({ preventScroll: true });
  }

  return {
    element,
    /** Show a sheet with text and buttons. */
    show(key, { title, text, actions = [] }) {
      const buttons = actions.map(({ label, primary, run }) =>
        h(`button.button${primary ? ".primary" : ""}`, { type: "button", onclick: run, autofocus: primary }, label),
      );
      this.put(
        key,
        h(
          "div.sheet",
          { role: "alertdialog", "aria-label": title },
          h("h2", {}, title),
          h("p", {}, text),
          h("div.row.actions", {}, buttons),
        ),
      );
    },
    put(key, content) {
      wanted.set(key, content);
      draw();
    },
    hide(key) {
      if (wanted.delete(key)) draw();
    },
  };
}
