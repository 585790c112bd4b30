// Asks the site about a position. A new question drops the one before.

import { refusalText } from "./words.js";

/** @import { Answer } from "./types.d.ts" */

/** @param {string} url */
export function createAsker(url) {
  /** @type {AbortController | null} */
  let running = null;

  /**
   * The answer; null when a newer question has come. Throws an Error with a sentence for the visitor.
   * @param {{ position: string, mines?: number, cell?: number }} question
   * @returns {Promise<Answer | null>}
   */
  return async function ask(question) {
    running?.abort();
    const own = (running = new AbortController());
    try {
      const headers = { "Content-Type": "application/json" };
      const body = JSON.stringify(question);
      const answer = await fetch(url, { method: "POST", headers, body, signal: own.signal });
      const found = await answer.json();
      if (own.signal.aborted) return null;
      if (answer.ok) return found;
      throw new Refusal(refusalText(found));
    } catch (error) {
      if (own.signal.aborted) return null;
      throw error instanceof Refusal ? error : new Refusal(refusalText({}));
    }
  };
}

export class Refusal extends Error {}
