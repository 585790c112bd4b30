// Announces events beside the map, with sounds and effects on it.

import { n, t } from "site/i18n.js";
import { secondsLeft } from "games/match/time.js";

import { itemOf, ownerOf } from "./codes.js";
import { amount, cityName, ITEMS, REASONS } from "./words.js";

const MERGE = 3000; // ms in which losses in a region become one notice
const IDLE = 24; // base units of money that count as unspent
const PATIENCE = 45_000; // ms without spending before a reminder
const TREMORS = 10_000; // ms without a tremor before the next one is announced

/**
 * @param {{ page: any, board: import("./board.js").WarBoard, nameOf: (empire: number) => string,
 *   legal: import("./legal.js").Legal, key: (name: string) => string }} parts
 */
export function createNews({ page, board, nameOf, legal, key }) {
  const { session, notices, sound } = page;
  const game = () => session.view.game;
  const me = () => game().empire;
  const city = (/** @type {number} */ number) => cityName(game(), number);
  const cellOf = (/** @type {number} */ number) => game().cities[number];
  /** The player's lost tiles that are not announced yet, by region. @type {Map<number, number>} */
  const lost = new Map();
  /** Pairs of cities that roads connect, as last announced. @type {[number, number][] | null} */
  let linked = null;
  let shook = -Infinity;
  let spent = 0; // match time of the last order that cost something
  let isLate = true; // already announced, or already late when the page opened

  const news = {
    /** The tile of the last alert, or -1. */
    alert: -1,

    /** @param {number} cell @param {string} text @param {{ kind?: string, now?: boolean }} how */
    say(cell, text, how = {}) {
      if (cell >= 0) news.alert = cell;
      notices.say(text, { ...how, key: how.kind === "bad" && cell >= 0 ? key("alert") : "" });
    },

    /** Count the player's tiles that others took. @param {number[]} told pairs of cells and codes, not yet shown */
    losses(told) {
      if (!me()) return;
      for (let i = 0; i < told.length; i += 2) {
        const [cell, now] = [told[i], ownerOf(told[i + 1])];
        if (ownerOf(board.state.tiles[cell]) !== me() || now === me()) continue;
        const region = legal.regionOf(cell);
        if (!lost.has(region)) setTimeout(() => tellLoss(region), MERGE);
        lost.set(region, (lost.get(region) ?? 0) + 1);
        news.alert = cell;
      }
    },

    /** Start from a new view: nothing in it is news. */
    start() {
      linked = game().links;
      spent = session.time();
      isLate = legal.isLate(session.time());
    },

    /** Announce changes that come with time alone. */
    tick() {
      const time = session.time();
      if (!isLate && legal.isLate(time)) {
        isLate = true;
        const { late_siege_ms, late_strike_percent: percent } = legal.numbers();
        const values = { seconds: late_siege_ms / 1000, percent };
        const text = t(
          "The late phase begins: sieges take {seconds} s, strikes cost {percent}% of their usual price.",
          values,
        );
        notices.say(text, { kind: "warn", now: true });
      }
      if (time < spent + PATIENCE) return;
      const rich = legal.ownCities().find((one) => legal.money(one, time) > IDLE * game().unit);
      if (rich === undefined) return;
      spent = time;
      notices.say(t("{city} has {money} to spend.", { city: city(rich), money: amount(legal.money(rich, time)) }));
    },
  };

  /** @param {number} region */
  function tellLoss(region) {
    const count = lost.get(region) ?? 0;
    lost.delete(region);
    const text =
      region < 0
        ? n("You lost a tile.", "You lost {n} tiles.", count)
        : n("You lost a tile near {city}.", "You lost {n} tiles near {city}.", count, { city: city(region) });
    notices.say(text, { kind: "warn" });
  }

  /** "+525 mine sold" @param {number[]} cells @param {string} sum */
  function sale(cells, sum) {
    const item = cells.length === 1 ? itemOf(board.state.tiles[cells[0]]) : 0;
    if (item) return t("+{sum} {item} sold", { sum, item: ITEMS[item] });
    return n("+{sum} item sold", "+{sum} for {n} items", cells.length, { sum });
  }

  /** @type {Record<string, (event: any) => void>} */
  const on = {
    exploded({ cells }) {
      for (const cell of cells) board.effect("burst", cell, { duration: 700 });
      sound.play("mine");
    },
    tremor() {
      const now = performance.now();
      if (now - shook > TREMORS) notices.say(t("The ground shakes somewhere."));
      shook = now;
    },
    killed({ cell, victim, by, until }) {
      const seconds = secondsLeft(until - session.time());
      const name = nameOf(victim);
      if (victim === me()) {
        page.flash();
        news.say(cell, t("A mine! You’re stunned for {seconds} s.", { seconds }), { kind: "bad", now: true });
      } else if (by && by === me()) {
        news.say(cell, t("{name} stepped on your mine.", { name }), { kind: "good" });
      } else notices.say(t("{name} stepped on a mine.", { name }));
    },
    flashed({ cell, victim, by, until }) {
      const seconds = secondsLeft(until - session.time());
      const name = nameOf(victim);
      if (victim === me()) {
        page.flash({ always: true });
        const text = t("A flashbang! Your digits next to other players’ land are scrambled for {seconds} s.", {
          seconds,
        });
        news.say(cell ?? -1, text, { kind: "bad", now: true });
      } else if (by && by === me())
        news.say(cell ?? -1, t("Your flashbang blinded {name}.", { name }), { kind: "good" });
      else notices.say(t("{name} is blinded.", { name }));
    },
    siege({ city: number, by, falls }) {
      if (!by) return;
      const seconds = secondsLeft(falls - session.time());
      if (by === me())
        notices.say(t("You’re besieging {city}: hold out for {seconds} s.", { city: city(number), seconds }), {
          kind: "good",
        });
      else if (game().banks[number]) {
        const values = { name: nameOf(by), city: city(number), seconds };
        news.say(cellOf(number), t("{name} is besieging {city}! It falls in {seconds} s.", values), {
          kind: "bad",
          now: true,
        });
        board.effect("ping", cellOf(number), { duration: 2500 });
        board.element.classList.add("is-alarmed");
        setTimeout(() => board.element.classList.remove("is-alarmed"), 2500);
        sound.play("stage");
      }
    },
    taken({ city: number, by, from }) {
      const values = { name: nameOf(by), city: city(number) };
      if (by === me()) {
        sound.play("start");
        news.say(cellOf(number), t("{city} is yours.", values), { kind: "good", now: true });
      } else if (from === me())
        news.say(cellOf(number), t("{name} took {city} from you.", values), { kind: "bad", now: true });
      else notices.say(t("{name} took {city}.", values));
    },
    city_lost({ city: number }) {
      if (!game().rules)
        news.say(cellOf(number), t("You lost {city}.", { city: city(number) }), { kind: "bad", now: true });
    },
    sold: ({ amount: sum, cells = [] }) => notices.say(sale(cells, amount(sum)), { kind: "good" }),
    harvested: ({ amount: sum }) => notices.say(t("+{sum} harvest", { sum: amount(sum) }), { kind: "good" }),
    refunded: ({ amount: sum }) => notices.say(t("+{sum} refund", { sum: amount(sum) }), { kind: "good" }),
    pinged({ cell }) {
      news.alert = cell;
      board.effect("ping", cell, { duration: 2500 });
    },
    eliminated({ empire }) {
      // If all of the empire's players have given up or left, the page has announced that already.
      const seats = game().empires[empire - 1] ?? [];
      if (seats.every((/** @type {number} */ seat) => session.view.seats[seat].retired !== null)) return;
      if (empire === me())
        notices.say(t("You lost your last city. You can keep watching."), { kind: "bad", now: true });
      else notices.say(t("{name} has no cities left.", { name: nameOf(empire) }), { kind: "warn" });
    },
    votes({ banned }) {
      notices.say(
        banned === null
          ? t("No city was banned.")
          : t("{city} is banned: nobody starts there.", { city: city(banned) }),
      );
    },
    links({ links }) {
      const has = (/** @type {[number, number][]} */ pairs, /** @type {[number, number]} */ [a, b]) =>
        pairs.some((pair) => pair[0] === a && pair[1] === b);
      const before = linked ?? [];
      linked = links;
      const names = (/** @type {[number, number]} */ [a, b]) => ({ first: city(a), second: city(b) });
      for (const pair of links) {
        if (has(before, pair)) continue;
        notices.say(t("Roads now link {first} and {second}: they share their money.", names(pair)), { kind: "good" });
      }
      for (const pair of before) {
        if (has(links, pair) || !pair.every((one) => game().banks[one])) continue;
        news.say(cellOf(pair[0]), t("The road between {first} and {second} has been cut.", names(pair)), {
          kind: "bad",
        });
      }
    },
    ordered({ action }) {
      if (action !== "capture" && action !== "flag") spent = session.time();
    },
    done({ code, order }) {
      if (!code) return;
      const cells = given.get(order) ?? [];
      board.effect("refuse", cells[0] ?? -1, { duration: 350 });
      const reason = /** @type {Record<string, string>} */ (REASONS)[code] ?? "";
      notices.say(t("One of your orders failed. {reason}", { reason }), { kind: "warn" });
    },
  };

  /** The tiles of orders in progress, which the view drops when they are done. @type {Map<number, number[]>} */
  const given = new Map();

  return {
    ...news,
    get alert() {
      return news.alert;
    },
    given,
    /** @param {any} event */
    tell(event) {
      on[event.type]?.(event);
    },
  };
}
