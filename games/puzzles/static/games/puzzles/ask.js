// Requests of the puzzle pages: a form goes out, JSON comes back.

import { errorText, t } from "site/i18n.js";

/**
 * Returns what the server says; raises an Error with a text for people.
 * @param {string} address
 * @param {Record<string, string | number>} fields
 * @param {string} csrf
 * @returns {Promise<any>}
 */
export async function post(address, fields, csrf) {
  const body = new URLSearchParams(Object.entries(fields).map(([name, value]) => [name, String(value)]));
  /** @type {Response} */
  let answer;
  let told;
  try {
    answer = await fetch(address, { method: "POST", headers: { "X-CSRFToken": csrf }, body });
    told = await answer.json();
  } catch {
    throw new Error(t("The server didn’t answer. Check your connection and try again."));
  }
  if (!answer.ok) throw new Error(errorText(told));
  return told;
}
