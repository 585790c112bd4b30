// The mirror of rules/seeing.py. A cell is one number: 0 to 8 the viewer's own
// with its number, and these.

export const EXPOSED = 9;
export const OWNED_BY = 10;
export const HIDDEN = 20;
export const FLAGGED = 21;

const FOLDS = {
  claimed(game, event) {
    game.areas[event.seat] += event.cells.length;
    const numbers = event.numbers?.length ? event.numbers : null;
    event.cells.forEach((cell, i) => {
      game.cells[cell] = numbers ? numbers[i] : OWNED_BY + event.seat;
    });
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
    event.rim.forEach((cell, i) => (game.cells[cell] = event.numbers[i]));
    game.areas = [...event.areas];
  },
  caught_up(game, event) {
    event.cells.forEach((cell, i) => (game.cells[cell] = event.codes[i]));
    for (const key of ["areas", "struck", "frozen"]) game[key] = [...event[key]];
    game.stage = event.stage;
    game.ends = event.ends;
  },
  stage(game, event) {
    for (const key of ["stage", "began", "ends"]) game[key] = event[key];
  },
  picked(game, event) {
    game.picks[event.seat] = event.cell;
  },
};

export function fold(game, event) {
  FOLDS[event.type]?.(game, event);
}
