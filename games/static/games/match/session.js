// One viewer's view of a match: folds the connection's messages into it.

import { emitter } from "../emitter.js";

/** @import { Emitter } from "games/emitter.js" */
/** @import { Fold, Session, SessionEvents } from "games/match/types.d.ts" */
/** @import { Link } from "games/net/types.d.ts" */

/**
 * `fold(view, event)` comes from createFold in fold/fold.js.
 * @param {Link} link
 * @param {Fold} fold
 * @returns {Session}
 */
export function createSession(link, fold) {
  /** @type {Emitter<SessionEvents>} */
  const events = emitter();
  /** @type {Session} */
  const session = {
    on: events.on,
    link,
    // Set by the server's first messages, before anything else uses the session.
    view: /** @type {any} */ (null),
    welcome: /** @type {any} */ (null),
    spectators: 0,
    get seat() {
      return session.welcome?.seat ?? null;
    },
    get playing() {
      const me = session.view?.seats[session.seat ?? -1];
      return Boolean(me) && me.retired === null && session.view.phase !== "over";
    },
    /** Match time now, in ms. */
    time: () => link.now() - session.view.origin,
    name: (seat) => session.welcome.players[seat]?.name ?? String(seat + 1),
    /** Replaces the server's "player 2" by the player's name. */
    named: (text) => text.replace(/\bplayer (\d)\b/gi, (whole, n) => session.welcome.players[n - 1]?.name ?? whole),
    act: (action) => link.act(action),
  };

  link.on("welcome", (welcome) => {
    session.welcome = welcome;
    session.spectators = welcome.spectators;
    events.emit("welcome", welcome);
  });
  link.on("spectators", (n) => {
    session.spectators = n;
    events.emit("change");
  });
  link.on("view", (view) => {
    session.view = view;
    events.emit("view", view);
    events.emit("change");
  });
  link.on("event", ({ event, t }) => {
    session.view = fold(session.view, event);
    if (event.type === "refused") events.emit("refused", /** @type {any} */ (event));
    else events.emit("event", { event, t });
    events.emit("change");
  });
  link.on("refused", (refusal) => events.emit("refused", refusal));
  link.on("acked", (acked) => events.emit("acked", acked));
  link.on("state", (state) => events.emit("state", state));
  link.on("quality", (quality) => events.emit("quality", quality));
  link.on("archived", () => events.emit("archived", undefined));
  return session;
}
