// The boards of a replay. createStage(element, { mode, players, tracks, truth, prefs }) ->
// { show(view name, time) }. Which boards there are depends on the mode and on whose view it is.

import { t } from "site/i18n.js";

import { createBoard } from "../board/board.js";
import { picture, shipsOf } from "../board/picture.js";
import { describeCell } from "../match/cells.js";
import { h } from "../match/dom.js";
import { minesAt, trueBoard, trueField } from "./truth.js";

const seatsOf = (players) => players.map((_, seat) => seat);

/** Per mode: the panes of a view, each with a title, a shape, and what it draws at a time. */
const PANES = {
  classic: ({ tracks, truth, players }, view) => [
    {
      title: players[0].name,
      draw: (time) => {
        const seen = tracks["0"].seek(time);
        return { drawn: view === "truth" ? trueBoard(seen, minesAt(truth.mines, time)) : picture(seen) };
      },
    },
  ],

  race: ({ tracks, truth, players }, view) =>
    (view === "truth" ? seatsOf(players) : view === "public" ? [] : [Number(view)]).map((seat) => ({
      title: players[seat].name,
      seat,
      draw: (time) => {
        const seen = tracks[seat].seek(time);
        if (!seen.game.cells) return { drawn: null };
        return { drawn: view === "truth" ? trueBoard(seen, minesAt(truth.mines, time)) : picture(seen) };
      },
    })),

  "area-attack": ({ tracks, truth, players }, view) => [
    {
      title: t("The field"),
      you: view === "public" || view === "truth" ? null : Number(view),
      draw: (time) => {
        if (view !== "truth") return { drawn: picture(tracks[view].seek(time)), pins: pins(tracks[view].view) };
        const views = seatsOf(players).map((seat) => tracks[seat].seek(time));
        return { drawn: trueField(views, minesAt(truth.mines, time)), pins: pins(views[0]) };
      },
    },
  ],

  battleship: ({ tracks, truth, players }, view) =>
    seatsOf(players).map((sea) => ({
      title: t("{name}’s sea", { name: players[sea].name }),
      seat: sea,
      draw: (time) => {
        const seen = tracks[view === "truth" ? "public" : view].seek(time);
        const all = view === "truth" ? truth.fleets?.[sea] : null;
        return { drawn: picture(seen, { sea }), ships: all ?? shipsOf(seen, sea) };
      },
    })),
};

function pins({ game, phase }) {
  if (phase !== "setup") return [];
  return game.picks.flatMap((cell, seat) => (cell === null ? [] : [{ cell, seat, label: String(seat + 1), sure: true }]));
}

export function createStage(element, replay, prefs) {
  let shown = null;
  let panes = [];

  function build(view) {
    for (const { board } of panes) board.destroy();
    shown = view;
    const wanted = PANES[replay.mode]?.(replay, view) ?? [];
    element.replaceChildren();
    element.dataset.panes = wanted.length;
    panes = wanted.map((pane) => {
      const holder = h("div.replay-board");
      const figure = h("figure.replay-pane", {}, holder);
      if (wanted.length > 1) figure.append(h(`figcaption.seat-name.seat-${(pane.seat ?? 0) + 1}`, {}, pane.title));
      element.append(figure);
      const nameOf = (seat) => replay.players[seat]?.name ?? "";
      const describe = (cell) => describeCell(board.state.wanted, cell, nameOf);
      const board = createBoard(holder, { prefs, you: pane.you ?? null, interactive: false, label: pane.title, describe });
      return { ...pane, board };
    });
    if (!wanted.length) {
      const why = PANES[replay.mode]
        ? t("Spectators saw only how far everybody was. Choose a player or the truth to see boards.")
        : t("This game has no board in the browser yet. Its events can be read here, and its log downloaded.");
      element.append(h("p.replay-nothing.soft", {}, why));
    }
  }

  return {
    /** `moving`: what changed comes in a wave from the cell `origin`. */
    show(view, time, { moving = false, origin = 0 } = {}) {
      if (view !== shown) build(view);
      for (const pane of panes) {
        const { drawn, ships, pins: marks } = pane.draw(time);
        if (!drawn) continue;
        pane.board.show(drawn, moving ? { wave: "open", origin } : {});
        if (ships) pane.board.showShips(ships);
        if (marks) pane.board.mark({ pins: marks });
      }
    },
    mark(cells) {
      for (const { board } of panes) board.mark({ frames: cells });
    },
  };
}
