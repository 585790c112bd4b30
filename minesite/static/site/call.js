// Calls a player back who looks at something else: title and icon of the tab until they look, and a notification
// if the browser may show one. It is asked for only when the player presses a button that says so.

import { find } from "site/dom.js";

/** @typedef {{ text: string, body?: string, url: string, tag: string }} Call `tag`: a newer call replaces the older */

/** @type {(() => void) | null} How to put the tab back as it was. */
let restore = null;

/** Whether a button to allow notifications makes sense. */
export const mayAsk = () => "Notification" in window && Notification.permission === "default";

/** Only from a press: browsers refuse it otherwise. */
export const askToNotify = () => Notification.requestPermission();

/** @param {string} text */
function mark(text) {
  restore?.();
  const title = document.title;
  /** @type {HTMLLinkElement} */
  const icon = find("link[data-call]");
  const { href } = icon;
  document.title = `● ${text}`;
  icon.href = icon.dataset.call ?? href;
  const looks = () => document.hasFocus() && restore?.();
  restore = () => {
    document.title = title;
    icon.href = href;
    restore = null;
    removeEventListener("focus", looks);
    document.removeEventListener("visibilitychange", looks);
  };
  addEventListener("focus", looks);
  document.addEventListener("visibilitychange", looks);
}

/** @param {Call} call */
async function notify({ text, body, url, tag }) {
  if (!("Notification" in window) || Notification.permission !== "granted") return;
  const options = { body, tag, icon: find("link[rel=apple-touch-icon]").getAttribute("href") ?? "", data: { url } };
  // The worker's stays when this page goes, and opens the match when it is pressed.
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker) await worker.showNotification(text, options);
  else new Notification(text, options).onclick = () => window.focus();
}

/**
 * Nothing, while the player looks at this page.
 * @param {Call} call
 */
export function callBack(call) {
  if (document.hasFocus()) return;
  mark(call.text);
  notify(call);
}
