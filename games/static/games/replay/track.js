// createTrack({ start, events }, fold) -> one viewer's view at any moment. Headless.
//
//     track.seek(time)       the view after all events up to that match time
//     track.seekIndex(n)     the view after the first n events
//     track.index, track.view, track.event   where it is, and the last event that is in the view
//
// Keeps snapshots of views at intervals, so that going back folds a few events, not all.

/** @import { Fold } from "games/match/types.d.ts" */
/** @import { Stream, Track } from "games/replay/types.d.ts" */

const KEEP_EVERY = 50;

/** @param {Stream} stream @param {Fold} fold @returns {Track} */
export function createTrack({ start, events }, fold) {
  const kept = [start];
  let view = structuredClone(start);
  let index = 0;

  /** @param {number} target */
  function goTo(target) {
    if (target < index) {
      const from = Math.floor(target / KEEP_EVERY);
      index = from * KEEP_EVERY;
      view = structuredClone(kept[from]);
    }
    while (index < target) {
      view = fold(view, structuredClone(events[index][1]));
      index += 1;
      if (index % KEEP_EVERY === 0) kept[index / KEEP_EVERY] ??= structuredClone(view);
    }
    return view;
  }

  /**
   * How many events have happened by this time.
   * @param {number} time
   */
  function countAt(time) {
    let [low, high] = [0, events.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (events[middle][0] <= time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return {
    seek: (time) => goTo(countAt(time)),
    seekIndex: (target) => goTo(Math.max(0, Math.min(target, events.length))),
    countAt,
    timeOf: (n) => (n > 0 ? events[Math.min(n, events.length) - 1][0] : 0),
    get view() {
      return view;
    },
    get index() {
      return index;
    },
    get length() {
      return events.length;
    },
    get event() {
      return index ? events[index - 1][1] : null;
    },
  };
}
