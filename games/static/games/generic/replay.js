// Replays of a mode in the common board format.

import { t } from "site/i18n.js";

import { createCellBoard } from "./board.js";
import { picture, together } from "./picture.js";
import { describeCell, describeEvent } from "./words.js";

/** @typedef {import("./fold.js").BoardEvent} BoardEvent */

/**
 * One board: what this viewer saw, or for the truth what all knew together. At the end all see the truth.
 * @param {any} replay
 * @param {string} view the name of a stream, or "truth"
 */
export function panes({ tracks, players }, view) {
  const seats = players.map((/** @type {any} */ _, /** @type {number} */ seat) => String(seat));
  const nameOf = (/** @type {number} */ seat) => players[seat]?.name ?? "";
  return [
    {
      title: t("Board"),
      you: seats.includes(view) ? Number(view) : null,
      /** @param {HTMLElement} holder @param {any} options */
      create(holder, options) {
        const board = createCellBoard(holder, {
          ...options,
          describe: (cell) => describeCell(board.state.wanted, cell, nameOf),
        });
        return board;
      },
      /** @param {number} time */
      draw(time) {
        if (view !== "truth") return { drawn: picture(tracks[view].seek(time)) };
        return { drawn: together(["public", ...seats].map((name) => tracks[name].seek(time))) };
      },
    },
  ];
}

/** @param {any} view */
export const columns = ({ game }) => game.board.width;

/** @param {any} view @returns {string[]} */
export const scores = ({ game }) => game.scores;

/** @param {{ name: (seat: number) => string, at: (cell: number) => string }} tell */
export const words = ({ name, at }) => ({
  /** @param {BoardEvent} event */
  board(event) {
    const words = describeEvent(event, { place: at, nameOf: name });
    return words.charAt(0).toUpperCase() + words.slice(1);
  },
});

/** @param {BoardEvent} event */
export function framed({ set = [] }) {
  return set.length > 12 ? [] : set.map(([cell]) => cell);
}
