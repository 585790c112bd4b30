// The mirror of `fold_board` in games/engine/boardgame.py.

/**
 * A viewer's view of a mode in the common format: docs/board-format.md.
 * @typedef {object} BoardView
 * @property {Cells} board
 * @property {number | null} turn whose turn it is
 * @property {{ label: string, ends: number } | null} clock a countdown to a match time
 * @property {string[]} scores a text per seat, or none
 * @property {string | null} note a sentence about the position
 * @property {Action[]} actions that this viewer can take now
 */

/**
 * @typedef {object} Cells
 * @property {"square" | "hex"} grid
 * @property {number} width
 * @property {number} height
 * @property {string[]} cells a face per cell
 * @property {(number | null)[]} owners
 * @property {string[]} texts
 */

/**
 * @typedef {object} Action
 * @property {string} type
 * @property {string} label
 * @property {"cell" | "none"} target
 * @property {number[]} [cells] the only cells on which it is legal; without it any may be
 */

/**
 * @typedef {object} BoardEvent only what changed
 * @property {string} type
 * @property {[number, string, number | null, string][]} [set] cell, face, owner, text
 * @property {Cells} [board] all of it, when its shape has changed
 * @property {number | null} [turn]
 * @property {{ label: string, ends: number } | null} [clock]
 * @property {string[]} [scores]
 * @property {string | null} [note]
 * @property {Action[]} [actions]
 */

const FIELDS = /** @type {const} */ (["turn", "clock", "scores", "note", "actions"]);

/**
 * @param {BoardView} game changed as the event says
 * @param {BoardEvent} event
 */
export function fold(game, event) {
  if (event.type !== "board") return;
  if (event.board) game.board = structuredClone(event.board);
  const { cells, owners, texts } = game.board;
  for (const [cell, face, owner, text] of event.set ?? []) {
    cells[cell] = face;
    owners[cell] = owner;
    texts[cell] = text;
  }
  for (const key of FIELDS) if (key in event) Object.assign(game, { [key]: event[key] });
}
