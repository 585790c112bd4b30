// Commands that the server has not acknowledged yet, in order. They are resent after a reconnect with the
// same id, so the server can deduplicate them.

/** @import { Action } from "games/net/types.d.ts" */

/** @typedef {{ type: string, id: string, action: Action }} Command */

const MOST = 30;

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
}

const REMEMBERED = 50;

export function createOutbox() {
  /** @type {Map<string, Command>} */
  const waiting = new Map();
  /** @type {Map<string, Action | null>} */
  const answered = new Map(); // kept because the match may still refuse an acknowledged command
  return {
    /**
     * The message to send; null when too many are unacknowledged.
     * @param {Action} action
     * @returns {Command | null}
     */
    add(action) {
      if (waiting.size >= MOST) return null;
      const message = { type: "act", id: newId(), action };
      waiting.set(message.id, message);
      return message;
    },
    /**
     * Mark a command as answered; returns its action.
     * @param {string} id
     * @returns {Action | null}
     */
    done(id) {
      const action = waiting.get(id)?.action ?? answered.get(id) ?? null;
      waiting.delete(id);
      answered.set(id, action);
      if (answered.size > REMEMBERED) answered.delete([...answered.keys()][0]);
      return action;
    },
    pending: () => [...waiting.values()],
    clear: () => waiting.clear(),
    get size() {
      return waiting.size;
    },
  };
}
