// Replays of a mode in the common board format.

import { t } from "site/i18n.js";

import { createCellBoard } from "./board.js";
import { picture, scoresOf, together } from "./picture.js";
import { describeCell, describeEvent } from "./words.js";

/** @typedef {import("./fold.js").BoardEvent} BoardEvent */

/**
 * One board: this viewer's view, or for the truth all views merged. After the match everybody sees the truth.
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

/**
 * For the truth, each player's score comes from that player's own view.
 * @param {any} view
 * @param {any[]} seats for the truth: the views of all players at that moment
 * @returns {string[]}
 */
export function scores(view, seats = []) {
  return scoresOf(view).map((score, seat) => (seats[seat] ? scoresOf(seats[seat])[seat] : undefined) ?? score);
}

/**
 * The seat that made each event's move: the one whose turn it was before. Changes when the match begins or a
 * player retires are nobody's move.
 * @param {Record<string, { start: any, events: [number, any][] }>} streams
 * @returns {Map<BoardEvent, number | null>}
 */
export function moversOf(streams) {
  const movers = new Map();
  for (const { start, events } of Object.values(streams)) {
    let turn = start.game.turn;
    let cause = { at: -1, type: "" };
    for (const [at, event] of events) {
      if (event.type !== "board") cause = { at, type: event.type };
      else {
        const moved = cause.at !== at || !["started", "retired"].includes(cause.type);
        movers.set(event, moved ? turn : null);
        if (event.turn !== undefined) turn = event.turn;
      }
    }
  }
  return movers;
}

/**
 * @param {{ name: (seat: number) => string, at: (cell: number) => string }} tell
 * @param {any} replay
 */
export function words({ name, at }, { streams }) {
  const movers = moversOf(streams);
  return {
    /** @param {BoardEvent} event */
    board: (event) => describeEvent(event, { place: at, nameOf: name, mover: movers.get(event) }),
  };
}

/** @param {BoardEvent} event */
export function framed({ set = [] }) {
  return set.length > 12 ? [] : set.map(([cell]) => cell);
}
