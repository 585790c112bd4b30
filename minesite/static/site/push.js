// Web push: this browser's subscription, and registering it with the site. The settings turn it on and off.

import { find } from "site/dom.js";

export const KEPT = "push"; // in localStorage: whose notifications this browser shows

const { dataset, lang } = document.documentElement;

/** The subscription of this browser, if it has one. */
export async function subscription() {
  const worker = await navigator.serviceWorker?.getRegistration();
  return (await worker?.pushManager?.getSubscription()) ?? null;
}

/**
 * Have this player's notifications sent to this browser; with `renew`, only if they are already.
 * @param {PushSubscription} found
 * @param {boolean} renew
 */
export async function tell(found, renew = false) {
  /** @type {HTMLInputElement} */
  const { value } = find("input[name=csrfmiddlewaretoken]");
  const answer = await fetch(dataset.pushUrl ?? "", {
    method: "POST",
    headers: { "X-CSRFToken": value, "Content-Type": "application/json" },
    body: JSON.stringify({ ...found.toJSON(), renew }),
  });
  if (!answer.ok) {
    const { text } = await answer.json().catch(() => ({})); // an HTML error page isn't JSON
    throw new Error(text ?? `${answer.status} ${answer.statusText}`);
  }
  localStorage.setItem(KEPT, dataset.user ?? "");
  sessionStorage.setItem(KEPT, lang);
}

/** @param {PushSubscription | null} found */
export async function forget(found) {
  localStorage.removeItem(KEPT);
  await found?.unsubscribe();
}

/**
 * Renew the subscription once per tab, because the language or session may have changed. Removes the
 * subscription of another player, whose notifications this player must not see.
 */
export async function renew() {
  const isMine = localStorage.getItem(KEPT) === dataset.user;
  if (isMine && sessionStorage.getItem(KEPT) === lang) return;
  const found = await subscription();
  if (found && isMine) await tell(found, true);
  else await forget(found);
}
