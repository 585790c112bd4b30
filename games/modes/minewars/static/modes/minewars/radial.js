// The menu around a tile: the possible orders with their prices, each always at the same angle. The centre
// closes it.

import { h } from "site/dom.js";
import { t } from "site/i18n.js";

import { drawing } from "./icons.js";
import { PING, TOOLS } from "./tools.js";
import { amount } from "./words.js";

/** @typedef {import("./tools.js").Tool} Tool */

const FAR = 90; // CSS pixels from the centre to the middle of an order
const ROOM = FAR + 28; // from the centre to the edge of the map
/** Clockwise from the top. Orders for the player's land share a place with those for other land and for water. */
const PLACES = [
  ["capture"],
  ["mine", "strike"],
  ["decoy", "smoke"],
  ["flashbang", "reveal"],
  ["harvest"],
  ["flag"],
  ["ping"],
  ["clear"],
  ["barricade"],
  ["tower", "bridge"],
  ["road"],
];

/**
 * `ask`: a tool's price on a tile, null when it can't be used there; `pick` gives the order.
 * @param {{ board: import("./board.js").WarBoard, pick: (tool: Tool, cell: number) => void,
 *   ask: (tool: Tool, cell: number) => { price: number, poor: boolean } | null }} parts
 */
export function createRadial({ board, ask, pick }) {
  const element = h("div.war-radial", { role: "menu", "aria-label": t("Orders for this tile"), hidden: true });
  element.style.width = element.style.height = `${2 * ROOM}px`;

  /** @param {boolean} back whether the map gets the focus */
  function close(back = true) {
    if (element.hidden) return;
    element.hidden = true;
    board.mark({ menu: -1 });
    if (back) board.focus();
  }

  /** @param {string} name @param {number} place @param {number} cell */
  function item(name, place, cell) {
    const tool = /** @type {Tool} */ ([...TOOLS, PING].find((one) => one.name === name));
    const answer = ask(tool, cell);
    if (!answer) return null;
    const price = answer.price ? amount(answer.price) : "";
    const label = price ? `${tool.label}, ${price}` : tool.label;
    const made = h(
      "button.war-radial-item",
      {
        type: "button",
        role: "menuitem",
        title: `${tool.label}. ${tool.help}`,
        "aria-label": label,
        disabled: answer.poor,
        onclick: () => (close(), pick(tool, cell)),
      },
      drawing(name),
      h("span", {}, price),
    );
    const angle = (place * 2 * Math.PI) / PLACES.length;
    made.style.left = `${ROOM + Math.round(Math.sin(angle) * FAR)}px`;
    made.style.top = `${ROOM - Math.round(Math.cos(angle) * FAR)}px`;
    made.dataset.order = name;
    return made;
  }

  /** @param {number} cell */
  function open(cell) {
    const items = PLACES.flatMap((names, place) => {
      for (const name of names) {
        const made = item(name, place, cell);
        if (made) return [made];
      }
      return [];
    });
    const centre = h(
      "button.war-radial-close",
      { type: "button", role: "menuitem", "aria-label": t("Close"), onclick: () => close() },
      "×",
    );
    element.replaceChildren(centre, ...items);
    const { x, y } = board.place(cell);
    const { width, height, top } = board.element.getBoundingClientRect();
    // Keep it above the tools if there is room.
    const bar = element.parentElement?.querySelector(".war-tools")?.getBoundingClientRect();
    const floor = bar?.height ? Math.max(2 * ROOM, bar.top - top) : height;
    const inside = (/** @type {number} */ at, /** @type {number} */ size) => Math.max(ROOM, Math.min(size - ROOM, at));
    element.style.left = `${inside(x, width) - ROOM}px`;
    element.style.top = `${inside(y, floor) - ROOM}px`;
    element.hidden = false;
    board.mark({ menu: cell });
    centre.focus({ preventScroll: true });
  }

  element.addEventListener("keydown", (event) => {
    const all = [...element.querySelectorAll("button:enabled")];
    const at = all.indexOf(/** @type {Element} */ (document.activeElement));
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (by) /** @type {HTMLElement} */ (all.at((at + by) % all.length)).focus();
    else if (event.key === "Escape") close();
    else if (event.key === "Tab") return close();
    else if (event.key !== "Enter" && event.key !== " ") return;
    else return event.stopPropagation();
    event.preventDefault();
    event.stopPropagation();
  });
  // The press that opened the menu also fires contextmenu, on some systems only when it ends.
  element.addEventListener("contextmenu", (event) => event.preventDefault());
  element.addEventListener("pointerdown", ({ button }) => button === 2 && close());
  // A press outside the menu, with either button, only closes it.
  document.addEventListener(
    "pointerdown",
    (event) => {
      if (element.hidden || !(event.target instanceof Node) || element.contains(event.target)) return;
      if (board.element.contains(event.target)) (event.stopPropagation(), event.preventDefault());
      close(false);
    },
    { capture: true },
  );

  return {
    element,
    open,
    close,
    /**
     * Choose the order, if any, where the press that opened the menu was released.
     * @param {number} x
     * @param {number} y
     */
    lift(x, y) {
      const over = document.elementFromPoint(x, y)?.closest(".war-radial-item");
      if (over instanceof HTMLButtonElement) over.click();
    },
  };
}
