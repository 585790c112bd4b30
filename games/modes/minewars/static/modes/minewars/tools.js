// The tools at the foot of the map: which one is armed, its key, what it costs here, how long it cools down.

import { h, setText } from "site/dom.js";
import { t } from "site/i18n.js";

import { drawing } from "./icons.js";
import { amount, REASONS } from "./words.js";

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
    help: t("Mark up to 19 tiles, then fire: it destroys items and damages structures."),
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
    help: t("Counts as an item, and breaks when captured."),
    type: "deploy",
    action: laying("decoy"),
  },
  {
    name: "flashbang",
    key: "5",
    label: t("Flashbang"),
    help: t("Blinds whoever steps on it: their digits are nonsense for a while."),
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
    help: t("Drag over your land, or pick two ends. Roads between cities let them share money."),
    type: "build",
    many: true,
    action: building("road"),
  },
  {
    name: "tower",
    key: "9",
    label: t("Tower"),
    help: t("Sees items within five tiles."),
    type: "build",
    action: building("tower"),
  },
  {
    name: "barricade",
    key: "0",
    label: t("Barricade"),
    help: t("Closes a gap between two mountains of yours."),
    type: "build",
    action: building("barricade"),
  },
  {
    name: "bridge",
    key: "b",
    label: t("Bridge"),
    help: t("Carries captures over water."),
    type: "build",
    action: building("bridge"),
  },
  {
    name: "harvest",
    key: "h",
    label: t("Harvest"),
    help: t("Sells the ground itself: money now, destroyed land for good."),
    type: "harvest",
    action: single("harvest"),
  },
  {
    name: "clear",
    key: "x",
    label: t("Clear"),
    help: t("Cancels a structure under way for half its price, or bulldozes one for a quarter."),
    type: "bulldoze",
    action: single("bulldoze"),
  },
  {
    name: "flag",
    key: "f",
    label: t("Flag"),
    help: t("A private mark. A right click does the same."),
    type: "flag",
    action: single("flag"),
  },
];

/** @param {{ pick: (tool: Tool) => void, fire: () => void, drop: () => void }} does */
export function createTools({ pick, fire, drop }) {
  let armed = TOOLS[0];
  const rows = TOOLS.map((tool) => {
    const price = h("span.war-price");
    const cool = h("i.war-cool", { "aria-hidden": "true" });
    const button = h(
      "button.war-tool",
      { type: "button", "aria-pressed": "false", title: `${tool.label}. ${tool.help}`, onclick: () => pick(tool) },
      drawing(tool.name),
      h("span.war-tool-label", {}, tool.label),
      h("kbd", { "aria-hidden": "true" }, tool.key.toUpperCase()),
      price,
      cool,
    );
    button.dataset.tool = tool.name;
    return { tool, button, price, cool, until: 0 };
  });
  const note = h("span.war-order-note");
  const go = h("button.button.primary.small", { type: "button", onclick: fire });
  const order = h(
    "div.war-order",
    { hidden: true, role: "status" },
    note,
    go,
    h("button.button.small", { type: "button", onclick: drop }, t("Drop")),
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

  return {
    element: h("div.war-foot", {}, order, bar),
    bar,
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
    /** @param {(tool: Tool) => { price: number, code: string | null }} ask */
    prices(ask) {
      for (const { tool, button, price } of rows) {
        const { price: cost, code } = ask(tool);
        setText(price, cost ? amount(cost) : "");
        const poor = code === "too_expensive";
        button.classList.toggle("is-poor", poor);
        const why = poor ? t("Not enough money.") : (/** @type {Record<string, string>} */ (REASONS)[code ?? ""] ?? "");
        const title = `${tool.label}. ${why || tool.help}`;
        if (button.title !== title) button.title = title;
      }
    },
    /** A cooldown began: `left` ms of it are left. @param {string} type @param {number} left */
    cool(type, left) {
      if (left < 200) return;
      for (const row of rows) {
        if (row.tool.type !== type) continue;
        row.cool.animate([{ transform: "scaleX(1)" }, { transform: "scaleX(0)" }], { duration: left });
      }
    },
    /** The order that is being put together; null: none. @param {{ note: string, go: string, allowed: boolean } | null} shown */
    showOrder(shown) {
      order.hidden = !shown;
      if (!shown) return;
      setText(note, shown.note);
      setText(go, shown.go);
      go.disabled = !shown.allowed;
    },
  };
}
