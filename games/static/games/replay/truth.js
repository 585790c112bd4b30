// The truth at a moment: what everybody knew together, and what nobody knew.

import * as F from "../board/faces.js";
import { picture } from "../board/picture.js";

/** The mines as they lay at this time; `laid` is [[time, cells], ...]. */
export function minesAt(laid, time) {
  let found = laid[0]?.[1] ?? [];
  for (const [from, cells] of laid) if (from <= time) found = cells;
  return found;
}

function withMines(drawn, mines) {
  const mined = new Set(mines);
  drawn.faces.forEach((face, cell) => {
    if (face === F.FLAG && !mined.has(cell)) drawn.faces[cell] = F.WRONG_FLAG;
    else if ((face === F.HIDDEN || face === F.START) && mined.has(cell)) drawn.faces[cell] = F.MINE;
  });
  return drawn;
}

/** A board of classic or race with its mines. */
export const trueBoard = (view, mines) => withMines(picture(view), mines);

/** The field of Area Attack: every owner's own numbers, and the mines. */
export function trueField(views, mines) {
  const drawn = picture(views[0]);
  views.forEach((view, seat) => {
    view.game.cells.forEach((code, cell) => {
      if (code > 8) return;
      drawn.faces[cell] = code;
      drawn.owners[cell] = seat;
    });
  });
  // A flag is one player's opinion, not the truth.
  drawn.faces.forEach((face, cell) => face === F.FLAG && (drawn.faces[cell] = F.HIDDEN));
  return withMines(drawn, mines);
}
