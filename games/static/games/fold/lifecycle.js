// Applies the events common to all modes to a view. The mirror of games/engine/folding.py.

/** @import { GameEvent, Seat, View } from "games/match/types.d.ts" */

/** @type {Record<string, (seat: Seat, event: GameEvent) => Partial<Seat>>} */
const OF_SEAT = {
  ready: (seat, event) => ({ ready: event.ready ?? true }),
  dropped: (seat, event) => ({ connected: false, gone: event.gone, deadline: event.deadline }),
  left: (seat, event) => ({ connected: false, gone: event.gone, deadline: event.deadline }),
  returned: () => ({ connected: true, gone: null, deadline: null, claimable: false }),
  claimable: () => ({ deadline: null, claimable: true }),
  retired: (seat, event) => ({ retired: event.t, deadline: null, claimable: false }),
};

/** @type {Record<string, (view: View, event: GameEvent) => void>} */
const OF_MATCH = {
  refused() {},
  clock(view, event) {
    view.origin = event.origin;
  },
  starting(view, event) {
    view.setup_ends = event.t;
  },
  started(view) {
    Object.assign(view, { phase: "live", setup_ends: null });
    for (const seat of view.seats) seat.ready = true;
  },
  over(view, event) {
    Object.assign(view, { phase: "over", setup_ends: null });
    for (const seat of view.seats) Object.assign(seat, { deadline: null, claimable: false });
    const { outcome, seed, deal, truth } = event;
    Object.assign(view, { outcome, seed, deal, truth });
  },
};

/**
 * Changes the view; returns whether it was a lifecycle event.
 * @param {View} view
 * @param {GameEvent} event
 */
export function foldLifecycle(view, event) {
  if (Object.hasOwn(OF_MATCH, event.type)) {
    OF_MATCH[event.type](view, event);
    return true;
  }
  if (!Object.hasOwn(OF_SEAT, event.type)) return false;
  const seat = view.seats[event.seat];
  Object.assign(seat, OF_SEAT[event.type](seat, event));
  return true;
}
