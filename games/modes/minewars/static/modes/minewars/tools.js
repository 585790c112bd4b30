// The toolbar at the foot of the map: the armed tool, and each tool's key, price here, and cooldown.

import { h, setText, svg } from "site/dom.js";
import { t } from "site/i18n.js";

import { drawing } from "./icons.js";
import { amount } from "./words.js";

/** @typedef {import("./legal.js").Action} Action */

/**
 * @typedef {object} Tool
 * @property {string} name
 * @property {string} key
 * @property {string} label
 * @property {string} help
 * @property {string} type the action whose cooldown it shares
 * @property {(cells: number[]) => Action} action
 * @property {boolean} [many] several tiles make one order
 */

/** @param {string} type */
const single =
  (type) =>
  (/** @type {number[]} */ [cell]) => ({ type, cell });
/** @param {string} item */
const laying =
  (item) =>
  (/** @type {number[]} */ [cell]) => ({ type: "deploy", item, cell });
/** @param {string} structure */
const building = (structure) => (/** @type {number[]} */ cells) => ({ type: "build", structure, cells });

/** @type {Tool[]} */
export const TOOLS = [
  {
    name: "capture",
    key: "1",
    label: t("Capture"),
    help: t("Take land next to yours."),
    type: "capture",
    action: single("capture"),
  },
  {
    name: "strike",
    key: "2",
    label: t("Strike"),
    help: t("Mark up to 19 tiles, then fire to destroy items and damage structures."),
    type: "strike",
    many: true,
    action: (cells) => ({ type: "strike", cells }),
  },
  {
    name: "mine",
    key: "3",
    label: t("Mine"),
    help: t("Stuns whoever steps on it."),
    type: "deploy",
    action: laying("mine"),
  },
  {
    name: "decoy",
    key: "4",
    label: t("Decoy"),
    help: t("Counts as an item but breaks when captured."),
    type: "deploy",
    action: laying("decoy"),
  },
  {
    name: "flashbang",
    key: "5",
    label: t("Flashbang"),
    help: t("Blinds whoever steps on it: their digits are scrambled for a while."),
    type: "deploy",
    action: laying("flashbang"),
  },
  {
    name: "smoke",
    key: "6",
    label: t("Smoke"),
    help: t("Hides a digit from its owner."),
    type: "smoke",
    action: single("smoke"),
  },
  {
    name: "reveal",
    key: "7",
    label: t("Reveal"),
    help: t("Shows what lies on a tile."),
    type: "reveal",
    action: single("reveal"),
  },
  {
    name: "road",
    key: "8",
    label: t("Road"),
    help: t("Drag across your land, or pick both ends. Cities linked by roads share their money."),
    type: "build",
    many: true,
    action: building("road"),
  },
  {
    name: "tower",
    key: "9",
    label: t("Tower"),
    help: t("Shows items within five tiles."),
    type: "build",
    action: building("tower"),
  },
  {
    name: "barricade",
    key: "0",
    label: t("Barricade"),
    help: t("Closes the gap between two of your mountains."),
    type: "build",
    action: building("barricade"),
  },
  {
    name: "bridge",
    key: "b",
    label: t("Bridge"),
    help: t("Lets you capture land across water."),
    type: "build",
    action: building("bridge"),
  },
  {
    name: "harvest",
    key: "h",
    label: t("Harvest"),
    help: t("Sells the land itself: you get money now, but it stays destroyed for good."),
    type: "harvest",
    action: single("harvest"),
  },
  {
    name: "clear",
    key: "d",
    label: t("Clear"),
    help: t("Cancels an unfinished structure and refunds half, or bulldozes a finished one and refunds a quarter."),
    type: "bulldoze",
    action: single("bulldoze"),
  },
  {
    name: "flag",
    key: "f",
    label: t("Flag"),
    help: t("A private mark. You can also right-click."),
    type: "flag",
    action: single("flag"),
  },
];

/** For players with allies; only in the menu around a tile, and by key. @type {Tool} */
export const PING = {
  name: "ping",
  key: "p",
  label: t("Ping"),
  help: t("Shows your allies this tile."),
  type: "ping",
  action: single("ping"),
};

/**
 * `keyOf`: the label of a tool's key.
 * @param {{ pick: (tool: Tool) => void, fire: () => void, drop: () => void, keyOf: (name: string) => string }} does
 */
export function createTools({ pick, fire, drop, keyOf }) {
  let armed = TOOLS[0];
  const rows = TOOLS.map((tool) => {
    const price = h("span.war-price");
    const cool = svg("circle", { cx: 16, cy: 16, r: 14, pathLength: 1 });
    const key = h("kbd", { "aria-hidden": "true" });
    const button = h(
      "button.war-tool",
      { type: "button", "aria-pressed": "false", title: `${tool.label}. ${tool.help}`, onclick: () => pick(tool) },
      drawing(tool.name),
      h("span.war-tool-label", {}, tool.label),
      key,
      price,
      svg("svg", { class: "war-cool", viewBox: "0 0 32 32", "aria-hidden": "true" }, cool),
    );
    button.dataset.tool = tool.name;
    return { tool, button, price, cool, key };
  });
  const note = h("span.war-order-note");
  const go = h("button.button.primary.small", { type: "button", onclick: fire });
  const order = h(
    "div.war-order",
    { hidden: true, role: "status" },
    note,
    go,
    h("button.button.small", { type: "button", onclick: drop }, t("Cancel")),
  );
  const bar = h(
    "div.war-tools",
    { role: "toolbar", "aria-label": t("Orders") },
    rows.map(({ button }) => button),
  );

  function show() {
    for (const { tool, button } of rows) {
      button.setAttribute("aria-pressed", String(tool === armed));
    }
  }
  show();

  /** The keys may have been changed. */
  function showKeys() {
    for (const { tool, key } of rows) setText(key, keyOf(tool.name));
  }
  showKeys();

  return {
    element: h("div.war-foot", {}, order, bar),
    bar,
    showKeys,
    get armed() {
      return armed;
    },
    /** @param {Tool} tool */
    arm(tool) {
      armed = tool;
      show();
      const { button } = rows[TOOLS.indexOf(tool)];
      button.scrollIntoView({ block: "nearest", inline: "nearest" });
    },
    /** `why`: why the tool can't be used now. @param {(tool: Tool) => { price: number, why: string | null }} ask */
    prices(ask) {
      for (const { tool, button, price } of rows) {
        const { price: cost, why } = ask(tool);
        const shown = cost ? amount(cost) : "";
        setText(price, shown);
        button.classList.toggle("is-poor", why !== null);
        const name = shown ? t("{tool}: costs {price}", { tool: tool.label, price: shown }) : tool.label;
        const title = [`${name}.`, why, tool.help].filter(Boolean).join(" ");
        if (button.title !== title) button.title = title;
      }
    },
    /** A cooldown began: `left` ms of it are left. @param {string} type @param {number} left */
    cool(type, left) {
      if (left < 200) return;
      for (const row of rows) {
        if (row.tool.type !== type) continue;
        row.cool.animate([{ strokeDashoffset: 0 }, { strokeDashoffset: 1.01 }], { duration: left });
      }
    },
    /**
     * Show the order that the player is preparing; null: none.
     * @param {{ note: string, go: string, allowed: boolean } | null} shown
     */
    showOrder(shown) {
      order.hidden = !shown;
      if (!shown) return;
      setText(note, shown.note);
      setText(go, shown.go);
      go.disabled = !shown.allowed;
    },
  };
}
