// fold(view, event): what a client does with an event of the match socket (or of a replay). The
// mirror of the engine's `fold`: after all events of a viewer, its view equals the engine's.
//
// Plain objects in and out, no DOM: it runs under node too. The view given is changed and returned;
// to keep an earlier one, `structuredClone` it first:
//
//     import { fold } from "games/fold/fold.js";
//     let view = structuredClone(startView);
//     for (const event of events) view = fold(view, event);

import { foldAreaAttack } from "modes/area-attack/fold.js";
import { foldBattleship } from "modes/battleship/fold.js";
import { foldClassic } from "modes/classic/fold.js";
import { foldLifecycle } from "./lifecycle.js";
import { foldRace } from "modes/race/fold.js";

/** Per mode: what its own events do to `view.game`. */
export const FOLDS = {
  classic: foldClassic,
  race: foldRace,
  "area-attack": foldAreaAttack,
  battleship: foldBattleship,
};

export function fold(view, event) {
  if (!foldLifecycle(view, event)) FOLDS[view.mode]?.(view.game, event);
  return view;
}
