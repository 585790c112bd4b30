// Picking a start: cells too close to other players' picks are shaded. Players can change their own pick
// until they confirm it.

import { h, toggle } from "site/dom.js";
import { t } from "site/i18n.js";

/** @import { Game } from "./types.d.ts" */
/** @import { Board } from "games/board/types.d.ts" */
/** @import { Page, View } from "games/match/types.d.ts" */

const KING = 4; // the minimum distance between starts, in king's moves

/** @param {Record<string, any>} options @param {number} dx @param {number} dy */
function tooClose(options, dx, dy) {
  const near = options.min_start_distance;
  return Math.max(Math.abs(dx), Math.abs(dy)) < KING || dx * dx + dy * dy < near * near;
}

/**
 * The cells that are too close to another player's pick.
 * @param {View<Game>} view
 */
export function forbidden(view) {
  const { size } = view.options;
  const others = view.game.picks.flatMap((pick, seat) => (pick === null || seat === view.you ? [] : [pick]));
  const cells = [];
  for (let cell = 0; cell < size * size; cell++) {
    const [x, y] = [cell % size, Math.floor(cell / size)];
    if (others.some((pick) => tooClose(view.options, x - (pick % size), y - Math.floor(pick / size)))) cells.push(cell);
  }
  return cells;
}

/** @param {Page<Game>} page @param {Board} board */
export function createStarts(page, board) {
  const { session, sound } = page;
  const text = h("p.soft");
  const confirm = h(
    "button.button.primary.large.wide",
    { type: "button", onclick: () => session.act({ type: "confirm" }) },
    t("Start here"),
  );
  const element = h("div.setup-panel", {}, h("h2", {}, t("Pick your start")), text, confirm);
  let drawn = "";

  function marks() {
    const { view } = session;
    const key = JSON.stringify([view.phase, view.game.picks, view.seats.map((seat) => seat.ready)]);
    if (key === drawn) return;
    drawn = key;
    const setup = view.phase === "setup";
    const pins = view.game.picks.flatMap((cell, seat) =>
      cell === null ? [] : [{ cell, seat, label: session.name(seat)[0].toUpperCase(), sure: view.seats[seat].ready }],
    );
    const choosing = setup && session.seat !== null && !view.seats[session.seat].ready;
    board.mark({ pins: setup ? pins : [], shaded: choosing ? forbidden(view) : [] });
  }

  return {
    element,
    /** @param {number} cell */
    pick(cell) {
      session.act({ type: "pick", cell });
      sound.play("flag");
    },
    refused: () => (drawn = ""),
    update() {
      const { view, seat } = session;
      toggle(element, view.phase === "setup");
      marks();
      if (view.phase !== "setup") return;
      const mine = seat === null ? null : view.game.picks[seat];
      const ready = seat === null || view.seats[seat].ready;
      toggle(confirm, !ready);
      confirm.disabled = mine === null;
      if (seat === null) text.textContent = t("The players are picking their starts.");
      else if (ready) text.textContent = t("Waiting for the others…");
      else if (mine === null) text.textContent = t("Choose a cell. Shaded cells are too close to another player.");
      else text.textContent = t("You can still change it. If you don’t confirm a start, you get a random one.");
    },
  };
}
