// Commands that the server has not acknowledged yet, in order. Sent again after a reconnect with the
// same id, each takes effect once.

const MOST = 30;

function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(9));
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
}

export function createOutbox() {
  const waiting = new Map();
  return {
    /** The message to send; null when too many wait already. */
    add(action) {
      if (waiting.size >= MOST) return null;
      const message = { type: "act", id: newId(), action };
      waiting.set(message.id, message);
      return message;
    },
    /** It was answered; returns its action. */
    done(id) {
      const action = waiting.get(id)?.action ?? null;
      waiting.delete(id);
      return action;
    },
    pending: () => [...waiting.values()],
    clear: () => waiting.clear(),
    get size() {
      return waiting.size;
    },
  };
}
