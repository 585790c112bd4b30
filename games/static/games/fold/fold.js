// createFold(foldGame) -> fold(view, event): what a client does with an event of the match socket (or of
// a replay). The mirror of the engine's `fold`: after all events of a viewer, its view equals the engine's.
//
// Plain objects in and out, no DOM: it runs under node too. The view given is changed and returned;
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
 * `foldGame(game, event)`: what the mode's own events do to `view.game`.
 * @param {FoldGame} [foldGame]
 * @returns {Fold}
 */
export function createFold(foldGame = () => undefined) {
  return function fold(view, event) {
    if (!foldLifecycle(view, event)) foldGame(view.game, event);
    return view;
  };
}
