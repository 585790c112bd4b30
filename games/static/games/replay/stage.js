// The boards of a replay. createStage(element, replay, mode, prefs) -> { show(view, time), mark(cells) }.
// Which boards there are depends on the mode and on whose view it is: the mode's replay.js has
//
//     panes(replay, view)  the boards of a view (the name of a stream, or "truth"), each with a title, the
//                          seat that it belongs to or that looks at it (`seat`, `you`), and
//                          draw(time) -> { drawn: a picture or null, ships, pins, position }; a pane with a
//                          board of its own has create(element, options) -> board
//     columns(view)        how many columns a board has, to tell where a cell is
//     scores(view, seats)  the scores, a text per seat; `seats` are the players' views, for the truth
//     words(tell, replay)  the texts of its events (describe.js)
//     framed(event)        the cells to frame; by default those that the event names
//     firstView            the view that viewers who did not play see first; by default "public"
//     truthStream          the stream that the truth follows; by default "public"
//     plots(replay)        figures of each player over the match, drawn under the scrubber (plots.js)
//     nothing()            why a view has no boards

import { h } from "site/dom.js";
import { t } from "site/i18n.js";

import { createBoard } from "../board/board.js";
import { describeCell } from "../match/cells.js";

/** @import { Position } from "games/board/position.js" */
/** @import { AnyBoard } from "games/board/types.d.ts" */
/** @import { Prefs } from "games/prefs.js" */
/** @import { ModeReplay, Pane, Replay } from "games/replay/types.d.ts" */

/**
 * `mode`: its replay.js, or null for a mode without boards.
 * @param {HTMLElement} element
 * @param {Replay} replay
 * @param {ModeReplay | null} mode
 * @param {Prefs} prefs
 */
export function createStage(element, replay, mode, prefs) {
  /** @type {string | null} */
  let shown = null;
  /** @type {(Pane & { board: AnyBoard })[]} */
  let panes = [];

  /** @param {string} view */
  function build(view) {
    for (const { board } of panes) board.destroy();
    shown = view;
    const wanted = mode?.panes(replay, view) ?? [];
    element.replaceChildren();
    element.dataset.panes = String(wanted.length);
    panes = wanted.map((pane) => {
      const holder = h("div.replay-board");
      const figure = h("figure.replay-pane", {}, holder);
      if (wanted.length > 1) figure.append(h(`figcaption.seat-name.seat-${(pane.seat ?? 0) + 1}`, {}, pane.title));
      element.append(figure);
      /** @param {number} seat */
      const nameOf = (seat) => replay.players[seat]?.name ?? "";
      /** @param {number} cell @returns {string} */
      const describe = (cell) => describeCell(board.state.wanted, cell, nameOf);
      const options = { prefs, you: pane.you ?? null, interactive: false, label: pane.title, describe };
      /** @type {AnyBoard} */
      const board = (pane.create ?? createBoard)(holder, options);
      return { ...pane, board };
    });
    if (!wanted.length) {
      const none = () =>
        t("This game has no board in the browser yet. You can read its events here and download its log.");
      const why = (mode?.nothing ?? none)();
      element.append(h("p.replay-nothing.soft", {}, why));
    }
  }

  /** @type {Position | null} */
  let position = null;

  return {
    /** The position shown, for the analyser; null when there are several boards, or none that it knows. */
    get position() {
      return position;
    },
    /**
     * `moving`: animate changes as a wave from the cell `origin`.
     * @param {string} view
     * @param {number} time
     * @param {{ moving?: boolean, origin?: number }} [how]
     */
    show(view, time, { moving = false, origin = 0 } = {}) {
      if (view !== shown) build(view);
      position = null;
      for (const pane of panes) {
        const { drawn, ships, pins: marks, position: known } = pane.draw(time);
        if (known && panes.length === 1) position = known;
        if (!drawn) continue;
        pane.board.show(drawn, moving ? { wave: "open", origin } : {});
        if (ships) pane.board.showShips?.(ships);
        if (marks) pane.board.mark({ pins: marks });
      }
    },
    /** @param {{ cell: number, seat: number }[]} cells */
    mark(cells) {
      for (const { board } of panes) board.mark({ frames: cells });
    },
  };
}
