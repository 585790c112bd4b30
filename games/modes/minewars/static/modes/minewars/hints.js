// Hints in a player's first matches: one at a time, when relevant, until the player does it or dismisses it.

import { announce } from "site/announce.js";
import { h, setText } from "site/dom.js";
import { t } from "site/i18n.js";
import { setPref } from "games/prefs.js";

import { digitOf, isFlagged, isLandKind, itemOf, ownerOf } from "./codes.js";
import { amount, cityName } from "./words.js";

const STORE = "minewars-hints";
const FIRST = 3; // the number of matches with hints
const NEAR = 6; // the distance, in tiles, at which a city is worth a hint
const RICH = 3; // times the price of a mine
const EVERY = 1000; // ms

/** @typedef {{ matches: string[], seen: string[] }} Memory */

/** @returns {Memory} */
function recall() {
  try {
    const { matches = [], seen = [] } = JSON.parse(localStorage.getItem(STORE) ?? "{}");
    return { matches, seen };
  } catch {
    return { matches: [], seen: [] };
  }
}

/**
 * @param {{ page: any, board: import("./board.js").WarBoard, legal: import("./legal.js").Legal,
 *   topo: import("./topology.js").Topology, key: (name: string) => string }} parts
 */
export function createHints({ page, board, legal, topo, key }) {
  const { session, prefs, data } = page;
  const memory = recall();
  const game = () => session.view.game;
  const touch = matchMedia("(pointer: coarse)").matches;
  /** The things that the player has done in this match. @type {Set<string>} */
  const did = new Set();
  let began = -1; // the player's tiles at the start
  let looked = 0;
  let wanted = prefs.hints; // to apply a change in the settings right away
  /** @type {string | null} */
  let shown = null;
  let framed = -1; // the tile that the hint is about

  const own = () => game().tiles.filter((/** @type {number} */ code) => ownerOf(code) === game().empire).length;

  /** A blinded player's digits are nonsense: they prove nothing. */
  const isBlind = () => game().blind > Math.max(0, session.time());

  /** Land next to one of the player's digits that must hold an item, or -1. */
  function proven() {
    const { tiles } = game();
    if (isBlind()) return -1;
    for (let cell = 0; cell < topo.size; cell++) {
      if (!legal.mine(cell) || digitOf(tiles[cell]) < 1) continue;
      const hidden = topo.neighbours[cell].filter((one) => !legal.mine(one) && isLandKind(tiles[one]));
      if (hidden.length !== digitOf(tiles[cell])) continue;
      const found = hidden.find((one) => !isFlagged(tiles[one]) && !itemOf(tiles[one]));
      if (found !== undefined) return found;
    }
    return -1;
  }

  /** The nearest city of another player, or -1. */
  function prey() {
    const cells = Array.from({ length: topo.size }, (_, cell) => cell).filter(legal.mine);
    let [best, far] = [-1, NEAR + 1];
    game().cities.forEach((/** @type {number} */ at, /** @type {number} */ city) => {
      if (legal.mine(at)) return;
      for (const cell of cells) if (topo.distance(at, cell) < far) [best, far] = [city, topo.distance(at, cell)];
    });
    return best;
  }

  /** Capturable land that one of the player's 0s proves safe, or -1. */
  const safe = () =>
    game().tiles.findIndex(
      (/** @type {number} */ _, /** @type {number} */ cell) =>
        !isBlind() &&
        !legal.mine(cell) &&
        topo.neighbours[cell].some((one) => legal.mine(one) && digitOf(game().tiles[one]) === 0) &&
        !legal.possible({ type: "capture", cell }),
    );

  /** Most important first; `find`: null when the hint isn't relevant, else its text and a tile to frame. */
  const HINTS = [
    {
      name: "capture",
      isDone: () => own() > began,
      find: () => ({
        text: touch
          ? t("Tap land next to yours to capture it. If nothing lies around it, your land spreads by itself.")
          : t("Click land next to yours to capture it. If nothing lies around it, your land spreads by itself."),
        cell: safe(),
      }),
    },
    {
      name: "digits",
      isDone: () => false,
      find() {
        const cell = game().tiles.findIndex((/** @type {number} */ code) => digitOf(code) > 0);
        if (cell < 0) return null;
        const text = t(
          "A digit counts the items around it on land that isn’t yours. A star means there’s a harmless decoy among them.",
        );
        return { text, cell };
      },
    },
    {
      name: "mines",
      isDone: () => did.has("flag"),
      find() {
        const cell = proven();
        if (cell < 0) return null;
        const text = touch
          ? t(
              "The digits prove there’s an item here, and a mine would stun you. Press and hold the tile, then choose Flag to mark it.",
            )
          : t("The digits prove there’s an item here, and a mine would stun you. Right-click the tile to flag it.");
        return { text, cell };
      },
    },
    {
      name: "spend",
      isDone: () => did.has("deploy") || did.has("build"),
      find() {
        const time = session.time();
        const price = legal.priceOf(
          { type: "deploy", item: "mine", cell: game().cities[legal.ownCities()[0]] ?? 0 },
          time,
        );
        const city = legal.ownCities().find((one) => legal.money(one, time) > RICH * price);
        if (city === undefined || time - game().began < 20_000) return null;
        const values = { city: cityName(game(), city), money: amount(legal.money(city, time)), key: key("mine") };
        const text = touch
          ? t(
              "{city} has {money} to spend. Choose Mine and lay a few around your city, where others have to pass.",
              values,
            )
          : t(
              "{city} has {money} to spend. Press {key} and lay mines around your city, where others have to pass.",
              values,
            );
        return { text, cell: game().cities[city] };
      },
    },
    {
      name: "sell",
      isDone: () => did.has("sold"),
      find() {
        if (own() < began + 12 || proven() < 0) return null;
        const text = t("Hold every safe tile around an item: its land becomes yours and the item is sold.");
        return { text, cell: proven() };
      },
    },
    {
      name: "cities",
      isDone: () => did.has("siege"),
      find() {
        const city = prey();
        if (city < 0) return null;
        const { siege_ms: neutral, held_siege_ms: held = neutral } = legal.numbers();
        const isHeld = ownerOf(game().tiles[game().cities[city]]) > 0;
        const seconds = Math.round((isHeld ? held : neutral) / 1000);
        const values = { city: cityName(game(), city), seconds };
        const text = t(
          "{city} is nearby. Hold all the land around it for {seconds} seconds to take it: every city earns money.",
          values,
        );
        return { text, cell: game().cities[city] };
      },
    },
  ];

  const words = h("p");
  const element = h(
    "div.war-hint",
    { hidden: true, role: "note", "aria-label": t("Hint") },
    words,
    h(
      "div.row",
      {},
      h("button.button.small.primary", { type: "button", onclick: () => dismiss() }, t("Got it")),
      h(
        "button.button.small.quiet",
        { type: "button", onclick: () => setPref(prefs, "hints", false) },
        t("No more hints"),
      ),
    ),
  );

  function keep() {
    try {
      localStorage.setItem(STORE, JSON.stringify(memory));
    } catch {
      // Without storage the player sees the hints again.
    }
  }

  function dismiss() {
    if (shown) memory.seen.push(shown);
    keep();
    look();
    board.focus();
  }

  function look() {
    const isOn = prefs.hints && session.playing && session.view.phase === "live" && legal.ownCities().length > 0;
    if (isOn && began < 0) {
      began = own();
      if (!memory.matches.includes(data.match.id)) memory.matches.push(data.match.id);
      memory.matches.splice(0, memory.matches.length - FIRST - 1);
      keep();
    }
    if (!isOn || memory.matches.length > FIRST) return show(null, "", -1);
    for (const { name, isDone } of HINTS) {
      if (!memory.seen.includes(name) && isDone()) (memory.seen.push(name), keep());
    }
    for (const { name, find } of HINTS) {
      if (memory.seen.includes(name)) continue;
      const found = find();
      if (found) return show(name, found.text, found.cell);
      if (name === "capture") break;
    }
    show(null, "", -1);
  }

  /** @param {string | null} name @param {string} text @param {number} cell */
  function show(name, text, cell) {
    if (name === null && shown === null) return;
    element.hidden = name === null;
    board.mark({ frames: cell < 0 ? [] : [{ cell }] });
    // A hint may contain a growing sum of money: keep its text stable while the player reads it.
    if (name !== shown || cell !== framed) setText(words, text);
    framed = cell;
    if (name && name !== shown) announce(text);
    shown = name;
  }

  return {
    element,
    /** May be called often; looks for a hint once a second. */
    update() {
      const now = performance.now();
      if (now < looked + EVERY && prefs.hints === wanted) return;
      looked = now;
      wanted = prefs.hints;
      look();
    },
    /** @param {any} event */
    tell({ type, action, by }) {
      if (type === "ordered") did.add(action);
      if (type === "sold") did.add("sold");
      if ((type === "siege" || type === "taken") && by && by === game().empire) did.add("siege");
    },
  };
}
