// The looks of a cell, in every mode: one small number per cell (a "face"), and an owner (a seat, or NOBODY)
// whose colour and pattern tint the cell. 0 to 8 are open numbers.

export const EXPOSED = 9; // a mine that everybody knows
export const HIDDEN = 10;
export const FLAG = 11;
export const STRUCK = 12; // a mine that a player hit
export const MINE = 13; // shown after the end
export const WRONG_FLAG = 14; // shown after the end
export const PLAIN = 15; // open, but the viewer may not see its number
export const START = 16; // hidden, and the cell to start at
export const SEA = 17;
export const MISS = 18;
export const HIT = 19;
export const SUNK = 20;
export const QUESTION = 21; // hidden, with the player's question mark
export const FACES = 22;

export const NOBODY = 255;

/** @param {number} face */
export const isHidden = (face) => face === HIDDEN || face === FLAG || face === START || face === QUESTION;
/** @param {number} face */
export const isSea = (face) => face >= SEA && face <= SUNK;
/** @param {number} face */
export const isOpen = (face) => face <= 8 || face === PLAIN;
/** @param {number} face */
export const isNumber = (face) => face >= 1 && face <= 8;
