// Alerts a player who isn't looking at the page: changes the tab's title and icon until they return, and
// shows a notification if allowed. The page asks for that permission only when the player presses a button
// for it.

import { find } from "site/dom.js";

/** @typedef {{ text: string, body?: string, url: string, tag: string }} Call `tag`: a newer call replaces the older */

/** @type {(() => void) | null} Restores the tab's title and icon. */
let restore = null;

/** Whether to offer a button that asks for permission. */
export const mayAsk = () => "Notification" in window && Notification.permission === "default";

/** Call this only from a press: browsers refuse it otherwise. */
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
  // The service worker's notification outlives this page, and opens the match when pressed.
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker) await worker.showNotification(text, options);
  else new Notification(text, options).onclick = () => window.focus();
}

/**
 * Alert the player, unless this page has the focus.
 * @param {Call} call
 */
export function callBack(call) {
  if (document.hasFocus()) return;
  mark(call.text);
  notify(call);
}
