// Short messages at the edge of the window. toast("Saved"), toast("Lost", { kind: "bad" }),
// toast("Your match is starting", { action: { label: "Open", href: "/match/x/" }, seconds: 0 })

import { announce } from "site/announce.js";
import { find, h } from "site/dom.js";

/** @typedef {{ label: string, href?: string, run?: () => void }} Action a link, or a button that runs something */

/**
 * @param {string} text
 * @param {{ kind?: string, seconds?: number, action?: Action | null }} options `seconds` 0: it stays
 */
export function toast(text, { kind = "", seconds = 5, action = null } = {}) {
  const toasts = find("#toasts");
  /** @returns {void} */
  const remove = () => element.remove();
  const run = () => {
    remove();
    action?.run?.();
  };
  const link =
    action && h(action.href ? "a" : "button", { href: action.href, onclick: action.run && run }, action.label);
  const close = h("button", { type: "button", "aria-label": toasts.dataset.close, onclick: remove }, "×");
  /** @type {HTMLElement} */
  const element = h(`div.toast${kind ? `.${kind}` : ""}`, {}, h("span", {}, text), link, close);
  toasts.append(element);
  announce(text, kind === "bad" ? "assertive" : "polite");
  if (seconds) setTimeout(remove, seconds * 1000);
  return element;
}
