// Texts about a player who is out for good while the match continues.

import { listed, n, t } from "site/i18n.js";

/** @import { GameEvent, Session } from "games/match/types.d.ts" */

/**
 * The names of this seat's allies who are still playing.
 * @param {Session} session
 * @param {number} seat
 */
export function alliesOf({ view, name }, seat) {
  const { team } = view.seats[seat];
  return view.seats.flatMap((other, i) =>
    i !== seat && other.team === team && other.retired === null ? [name(i)] : [],
  );
}

/** @param {string[]} allies @returns {string} says that they play on; empty if nobody does */
export function alliesText(allies) {
  if (!allies.length) return "";
  return n(
    "{names} plays on, and your side’s result counts for you too.",
    "{names} play on, and your side’s result counts for you too.",
    allies.length,
    { names: listed(allies) },
  );
}

/**
 * Says that these players ended the match by giving up or leaving.
 * @param {Session} session
 * @param {number[]} seats
 * @param {boolean} sure that they gave up
 */
export function stoppedText(session, seats, sure = false) {
  const sentences = seats.map((seat) => {
    const name = session.name(seat);
    // A player who gives up is connected; one whom the server retired for being away is not.
    const gaveUp = sure || session.view.seats[seat].connected;
    if (seat === session.seat) return gaveUp ? t("You gave up.") : t("You left.");
    return gaveUp ? t("{name} gave up.", { name }) : t("{name} left.", { name });
  });
  return sentences.join(" ");
}

/** @param {Session} session @param {GameEvent} event `retired` */
export function retiredText(session, { seat, why }) {
  const name = session.name(seat);
  const mine = seat === session.seat;
  const allied = session.seat !== null && session.view.seats[seat].team === session.view.seats[session.seat].team;
  const what = mine
    ? why === "surrender"
      ? t("You gave up.")
      : t("You were away for too long.")
    : why === "surrender"
      ? t("{name} gave up.", { name })
      : t("{name} was away for too long and is out.", { name });
  return [what, next(session, seat, { mine, allied })].filter(Boolean).join(" ");
}

/**
 * Says how the match continues.
 * @param {Session} session
 * @param {number} seat
 * @param {{ mine: boolean, allied: boolean }} whose
 */
function next(session, seat, { mine, allied }) {
  const sides = new Set(session.view.seats.flatMap(({ team, retired }) => (retired === null ? [team] : [])));
  if (session.view.phase !== "live" || sides.size < 2) return ""; // the match ends
  if (mine) return alliesText(alliesOf(session, seat)) || t("You can keep watching.");
  return allied ? t("You play on for your side.") : "";
}
