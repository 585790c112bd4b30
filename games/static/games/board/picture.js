// picture(view, { pending, sea }) -> { width, height, faces, owners }: what a board shows of a view.
//
// Pure and headless: the match page, the replay viewer and tests draw through it:
//
//     board.show(picture(view));
//
// `pending`: Map of cell -> bool, flags that were set here and are not confirmed yet.
// `sea`: in Battleship, whose sea. In a race `picture` needs a seat's view; a spectator's has no
// cells, and there is nothing to draw (null).

import * as F from "./faces.js";

const FROM_MOVES = [0, F.HIDDEN, F.FLAG, F.STRUCK]; // -1, -2, -3 (fold/moves.js)

function blank(width, height) {
  const faces = new Uint8Array(width * height).fill(F.HIDDEN);
  return { width, height, faces, owners: new Uint8Array(width * height).fill(F.NOBODY) };
}

function flagged(drawn, pending) {
  for (const [cell, on] of pending ?? []) {
    if (F.isHidden(drawn.faces[cell])) drawn.faces[cell] = on ? F.FLAG : F.HIDDEN;
  }
  return drawn;
}

/** After the end: the mines that were not found, and flags that were wrong. */
function disclose(drawn, mines) {
  const mined = new Set(mines);
  drawn.faces.forEach((face, cell) => {
    if (face === F.FLAG && !mined.has(cell)) drawn.faces[cell] = F.WRONG_FLAG;
  });
  for (const cell of mines) {
    if (drawn.faces[cell] === F.HIDDEN || drawn.faces[cell] === F.START) drawn.faces[cell] = F.MINE;
  }
}

function minesweeper(view, { pending }) {
  const { game, truth } = view;
  const drawn = blank(game.width, game.height);
  if (!game.cells) return null;
  for (let cell = 0; cell < game.cells.length; cell++) {
    const code = game.cells[cell];
    drawn.faces[cell] = code >= 0 ? code : FROM_MOVES[-code];
  }
  if (view.mode === "classic" && game.start !== null && game.started === null && !truth) {
    drawn.faces[game.start] = F.START;
  }
  flagged(drawn, pending);
  if (truth) disclose(drawn, truth.mines);
  return drawn;
}

function areaAttack(view, { pending }) {
  const { game, truth, options, you } = view;
  const drawn = blank(options.size, options.size);
  for (let cell = 0; cell < game.cells.length; cell++) {
    const code = game.cells[cell];
    if (code <= 8) {
      drawn.faces[cell] = code;
      drawn.owners[cell] = you;
    } else if (code === 9) {
      drawn.faces[cell] = F.EXPOSED;
    } else if (code < 20) {
      drawn.faces[cell] = F.PLAIN;
      drawn.owners[cell] = code - 10;
    } else {
      drawn.faces[cell] = code === 21 ? F.FLAG : F.HIDDEN;
    }
  }
  flagged(drawn, pending);
  if (truth) {
    truth.owners.forEach((owner, cell) => {
      if (owner !== null) drawn.faces[cell] = truth.numbers[cell];
    });
    disclose(drawn, truth.mines);
  }
  return drawn;
}

const SEA_FACES = [F.SEA, F.MISS, F.HIT];

function battleship(view, { sea }) {
  const drawn = blank(10, 10);
  const { tried, sunk } = view.game.seas[sea];
  tried.forEach((code, cell) => (drawn.faces[cell] = SEA_FACES[code]));
  for (const ship of sunk) for (const cell of shipCells(ship)) drawn.faces[cell] = F.SUNK;
  return drawn;
}

/** The cells of a ship of Battleship, on its 10x10 sea. */
export function shipCells({ cell, length, vertical }) {
  return Array.from({ length }, (_, i) => cell + i * (vertical ? 10 : 1));
}

/** The ships of one sea that this viewer may see: the own fleet, all after the end, else sunk ones. */
export function shipsOf(view, sea) {
  const known = view.truth?.fleets?.[sea] ?? (view.you === sea ? view.game.fleet : null);
  return known ?? view.game.seas[sea].sunk;
}

const PICTURES = { classic: minesweeper, race: minesweeper, "area-attack": areaAttack, battleship };

export function picture(view, options = {}) {
  return PICTURES[view.mode](view, options);
}
