// Placing the fleet: drag a ship, tap it or press R to turn it, shuffle, confirm. With the keyboard:
// Enter picks up the ship under the cursor, arrows move it, R turns it, Enter puts it down.

import { announce } from "site/announce.js";
import { h, icon, toggle } from "site/dom.js";
import { t } from "site/i18n.js";

import { fits, pushedInside, randomFleet, shipAt, SIDE } from "./fleet.js";

/** @import { Game } from "./types.d.ts" */
/** @import { Board, Ship } from "games/board/types.d.ts" */
/** @import { Page } from "games/match/types.d.ts" */

/** @param {Page<Game>} page @param {Board} board */
export function createPlacement(page, board) {
  const { session, sound } = page;
  let fleet = randomFleet();
  /** @type {{ index: number, ship: Ship, grip: number, from: number, moved: boolean } | null} */
  let lifted = null;
  let last = 0; // the ship that R turns
  let sent = false;

  const show = () => {
    const lying = fleet.filter((_, i) => i !== lifted?.index);
    board.showShips(lying);
    board.mark({ ghost: lifted && { ...lifted.ship, good: fits(fleet, lifted.index, lifted.ship) } });
  };
  const placing = () => session.seat !== null && session.view.phase === "setup" && !session.view.game.fleet && !sent;

  /** @param {number} cell */
  function lift(cell) {
    const index = placing() ? shipAt(fleet, cell) : -1;
    if (index < 0) return null;
    last = index;
    const ship = { ...fleet[index] };
    const grip = ship.vertical ? Math.floor((cell - ship.cell) / SIDE) : cell - ship.cell;
    lifted = { index, ship, grip, from: cell, moved: false };
    show();
    return lifted;
  }

  /** @param {number} cell */
  function moveTo(cell) {
    if (cell < 0 || !lifted) return;
    const { ship, grip } = lifted;
    if (cell !== lifted.from) lifted.moved = true;
    const column = (cell % SIDE) - (ship.vertical ? 0 : grip);
    const row = Math.floor(cell / SIDE) - (ship.vertical ? grip : 0);
    const clampedColumn = Math.max(0, Math.min(SIDE - 1, column));
    const clampedRow = Math.max(0, Math.min(SIDE - 1, row));
    lifted.ship = pushedInside({ ...ship, cell: clampedRow * SIDE + clampedColumn });
    show();
  }

  function putDown() {
    if (!lifted) return;
    const { index, ship } = lifted;
    const good = fits(fleet, index, ship);
    if (good) fleet[index] = ship;
    else announce(t("A ship is in the way."), "assertive");
    sound.play(good ? "flag" : "refuse");
    lifted = null;
    show();
  }

  /** Turn a ship in place, or move it to a nearby place where it fits. */
  function turn(index = last) {
    if (!placing()) return;
    if (lifted) {
      const { ship } = lifted;
      lifted.ship = pushedInside({ ...ship, vertical: !ship.vertical });
      lifted.moved = true;
      return show();
    }
    const ship = fleet[index];
    const turned = { ...ship, vertical: !ship.vertical };
    for (let back = 0; back < ship.length; back++) {
      const cell = ship.vertical ? ship.cell - back + back * SIDE : ship.cell - back * SIDE + back;
      const tried = { ...turned, cell };
      const [x, y] = [ship.cell % SIDE, Math.floor(ship.cell / SIDE)];
      const far = Math.abs((cell % SIDE) - x) + Math.abs(Math.floor(cell / SIDE) - y);
      if (cell >= 0 && far <= 2 * ship.length && fits(fleet, index, tried)) {
        fleet[index] = tried;
        sound.play("flag");
        return show();
      }
    }
    sound.play("refuse");
    board.effect("refuse", ship.cell);
    announce(t("There’s no room to rotate this ship."), "assertive");
  }

  board.grab = (cell) => {
    if (!lift(cell)) return null;
    return {
      move: moveTo,
      drop() {
        if (lifted?.moved) return putDown();
        lifted = null;
        turn(last);
        show();
      },
      cancel() {
        lifted = null;
        show();
      },
    };
  };
  board.on("cursor", (cell) => lifted && placing() && moveTo(cell));
  board.on("key", (event) => {
    if (event.key.toLowerCase() === "r")
      turn(shipAt(fleet, board.state.cursor) >= 0 && !lifted ? shipAt(fleet, board.state.cursor) : last);
    else if (event.key === "Escape" && lifted) ((lifted = null), show());
    else return;
    event.preventDefault();
  });
  addEventListener("keydown", (event) => {
    if (lifted && event.key.toLowerCase() === "r" && !board.element.contains(document.activeElement)) turn();
  });

  /** @param {string} label @param {() => void} run */
  const button = (label, run, classes = "") => h(`button.button${classes}`, { type: "button", onclick: run }, label);
  const text = h("p.soft");
  const tools = h(
    "div.row.placement-tools",
    {},
    button(t("Shuffle"), () => placing() && ((fleet = randomFleet()), sound.play("flood"), show())),
    h("button.button", { type: "button", onclick: () => turn() }, icon("replay"), t("Rotate (R)")),
  );
  const ready = button(
    t("Confirm fleet"),
    () => {
      if (!placing()) return;
      sent = true;
      session.act({ type: "place", ships: fleet });
    },
    ".primary.large.wide",
  );
  const element = h("div.setup-panel", {}, h("h2", {}, t("Place your fleet")), text, tools, ready);

  return {
    element,
    placing,
    /**
     * Enter on the keyboard: pick up the ship under the cursor, or put it down.
     * @param {number} cell
     */
    press(cell) {
      if (lifted) return putDown();
      const taken = lift(cell);
      if (!taken) return;
      announce(
        t("Picked up a ship of {n} cells. Arrow keys move it, R rotates it, Enter drops it.", { n: taken.ship.length }),
        "assertive",
      );
    },
    refused() {
      sent = false;
      show();
    },
    show: () => placing() && show(),
    /** @param {number} cell */
    describe(cell) {
      const index = shipAt(fleet, cell);
      return index < 0 ? t("water") : t("ship of {n} cells", { n: fleet[index].length });
    },
    update() {
      const { view, seat } = session;
      toggle(element, view.phase === "setup");
      const mine = placing();
      toggle(tools, mine);
      toggle(ready, mine);
      if (seat === null) text.textContent = t("The players are placing their fleets.");
      else if (mine) text.textContent = t("Drag a ship to move it, tap it to rotate it. Ships may touch.");
      else text.textContent = t("Your fleet is in place. Waiting for your opponent…");
    },
  };
}
