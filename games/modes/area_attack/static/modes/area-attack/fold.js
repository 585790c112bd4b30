// The mirror of rules/seeing.py. A cell is one number: 0 to 8 for the viewer's own open cells, or one of
// these codes.

/** @import { Game } from "./types.d.ts" */
/** @import { GameEvent } from "games/match/types.d.ts" */

export const EXPOSED = 9;
export const OWNED_BY = 10;
export const HIDDEN = 20;
export const FLAGGED = 21;

/** @type {Record<string, (game: Game, event: any) => void>} */
const FOLDS = {
  claimed(game, event) {
    game.areas[event.seat] += event.cells.length;
    const numbers = event.numbers?.length ? event.numbers : null;
    for (const [i, cell] of event.cells.entries()) game.cells[cell] = numbers ? numbers[i] : OWNED_BY + event.seat;
  },
  flagged(game, event) {
    game.cells[event.cell] = event.on ? FLAGGED : HIDDEN;
  },
  struck(game, event) {
    game.struck[event.seat] += 1;
    if (event.until !== null) game.frozen[event.seat] = { until: event.until, cell: event.cell };
  },
  thawed(game, event) {
    game.frozen[event.seat] = null;
    if (event.exposed !== null) game.cells[event.exposed] = EXPOSED;
  },
  regenerated(game, event) {
    for (const cell of event.cells) game.cells[cell] = HIDDEN;
    for (const [i, cell] of event.rim.entries()) game.cells[cell] = event.numbers[i];
    game.areas = [...event.areas];
  },
  caught_up(game, event) {
    for (const [i, cell] of event.cells.entries()) game.cells[cell] = event.codes[i];
    const { areas, struck, frozen, stage, ends } = event;
    Object.assign(game, { areas: [...areas], struck: [...struck], frozen: [...frozen], stage, ends });
  },
  stage(game, event) {
    const { stage, began, ends } = event;
    Object.assign(game, { stage, began, ends });
  },
  picked(game, event) {
    game.picks[event.seat] = event.cell;
  },
};

/** @param {Game} game @param {GameEvent} event */
export function fold(game, event) {
  FOLDS[event.type]?.(game, event);
}
