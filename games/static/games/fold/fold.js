// createFold(foldGame) -> fold(view, event): applies an event from the match socket (or a replay) to a view.
// The mirror of the engine's `fold`: after all events of a viewer, its view equals the engine's.
//
// Plain objects in and out, no DOM, so it also runs in Node. It changes the given view and returns it;
// to keep an earlier one, `structuredClone` it first:
//
//     import { createFold } from "games/fold/fold.js";
//     import { fold as foldGame } from "modes/<name>/fold.js";
//     const fold = createFold(foldGame);
//     let view = structuredClone(startView);
//     for (const event of events) view = fold(view, event);

import { foldLifecycle } from "./lifecycle.js";

/** @import { Fold, FoldGame } from "games/match/types.d.ts" */

/**
 * `foldGame(game, event)` applies the mode's own events to `view.game`.
 * @param {FoldGame} [foldGame]
 * @returns {Fold}
 */
export function createFold(foldGame = () => undefined) {
  return function fold(view, event) {
    if (!foldLifecycle(view, event)) foldGame(view.game, event);
    return view;
  };
}
