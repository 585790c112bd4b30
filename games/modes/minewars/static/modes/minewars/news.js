// What happened, in words beside the map, with sound and movement on it.

import { n, t } from "site/i18n.js";
import { secondsLeft } from "games/match/time.js";

import { ownerOf } from "./codes.js";
import { amount, cityName, REASONS } from "./words.js";

const MERGE = 3000; // ms in which losses are told as one
const TREMORS = 10_000; // ms without one, until the next is told

/**
 * @param {{ page: any, board: import("./board.js").WarBoard, nameOf: (empire: number) => string,
 *   legal: import("./legal.js").Legal }} parts
 */
export function createNews({ page, board, nameOf, legal }) {
  const { session, notices, sound } = page;
  const game = () => session.view.game;
  const me = () => game().empire;
  const city = (/** @type {number} */ number) => cityName(game(), number);
  const cellOf = (/** @type {number} */ number) => game().cities[number];
  let lost = 0;
  let waiting = 0;
  let shook = -Infinity;

  const news = {
    /** Where the last alert came from, -1: none. */
    alert: -1,

    /** @param {number} cell @param {string} text @param {{ kind?: string, now?: boolean }} how */
    say(cell, text, how = {}) {
      if (cell >= 0) news.alert = cell;
      notices.say(text, how);
    },

    /** Own land that another took. @param {number[]} told pairs of cells and codes, not yet shown */
    losses(told) {
      if (!me()) return;
      for (let i = 0; i < told.length; i += 2) {
        const [cell, now] = [told[i], ownerOf(told[i + 1])];
        if (ownerOf(board.state.tiles[cell]) !== me() || now === me()) continue;
        lost += 1;
        news.alert = cell;
      }
      if (!lost || waiting) return;
      waiting = setTimeout(() => {
        const region = legal.regionOf(news.alert);
        const values = { city: region < 0 ? "" : city(region) };
        notices.say(n("You lost a tile near {city}.", "You lost {n} tiles near {city}.", lost, values), {
          kind: "warn",
        });
        [lost, waiting] = [0, 0];
      }, MERGE);
    },
  };

  /** @type {Record<string, (event: any) => void>} */
  const on = {
    exploded({ cells }) {
      for (const cell of cells) board.effect("burst", cell, { duration: 700 });
      sound.play("mine");
    },
    tremor() {
      const now = performance.now();
      if (now - shook > TREMORS) notices.say(t("Somewhere the ground shakes."));
      shook = now;
    },
    killed({ cell, victim, by, until }) {
      const seconds = secondsLeft(until - session.time());
      const name = nameOf(victim);
      if (victim === me()) {
        page.flash();
        news.say(cell, t("A mine! You are stunned for {seconds} s.", { seconds }), { kind: "bad", now: true });
      } else if (by && by === me()) {
        news.say(cell, t("{name} stepped on your mine.", { name }), { kind: "good" });
      } else notices.say(t("{name} stepped on a mine.", { name }));
    },
    flashed({ cell, victim, by, until }) {
      const seconds = secondsLeft(until - session.time());
      const name = nameOf(victim);
      if (victim === me()) {
        page.flash();
        const text = t("A flashbang! For {seconds} s your digits beside others are nonsense.", { seconds });
        news.say(cell ?? -1, text, { kind: "bad", now: true });
      } else if (by && by === me())
        news.say(cell ?? -1, t("Your flashbang blinds {name}.", { name }), { kind: "good" });
      else notices.say(t("{name} is blinded.", { name }));
    },
    siege({ city: number, by, falls }) {
      if (!by) return;
      const seconds = secondsLeft(falls - session.time());
      if (by === me())
        notices.say(t("You besiege {city}: hold it for {seconds} s.", { city: city(number), seconds }), {
          kind: "good",
        });
      else if (game().banks[number]) {
        const values = { name: nameOf(by), city: city(number), seconds };
        news.say(cellOf(number), t("{name} besieges {city}! It falls in {seconds} s.", values), {
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
    sold: ({ amount: sum, cells = [] }) =>
      news.say(cells[0] ?? -1, t("+{sum}: items sold.", { sum: amount(sum) }), { kind: "good" }),
    harvested: ({ amount: sum }) => notices.say(t("+{sum}: harvest.", { sum: amount(sum) }), { kind: "good" }),
    refunded: ({ amount: sum }) => notices.say(t("+{sum}: refund.", { sum: amount(sum) }), { kind: "good" }),
    pinged({ cell }) {
      news.alert = cell;
      board.effect("ping", cell, { duration: 2500 });
    },
    eliminated({ empire }) {
      if (empire === me())
        notices.say(t("Your last city is lost. You can go on watching."), { kind: "bad", now: true });
      else notices.say(t("{name} has no city left.", { name: nameOf(empire) }), { kind: "warn" });
    },
    votes({ banned }) {
      notices.say(
        banned === null
          ? t("No city was banned.")
          : t("{city} is banned: nobody starts there.", { city: city(banned) }),
      );
    },
    links({ links }) {
      if (links.length) notices.say(n("Roads link a pair of cities.", "Roads link {n} pairs of cities.", links.length));
    },
    done({ code, order }) {
      if (!code) return;
      const cells = given.get(order) ?? [];
      board.effect("refuse", cells[0] ?? -1, { duration: 350 });
      const reason = /** @type {Record<string, string>} */ (REASONS)[code] ?? "";
      notices.say(t("An order came to nothing. {reason}", { reason }), { kind: "warn" });
    },
  };

  /** Tiles of the orders under way, which the view forgets when they are done. @type {Map<number, number[]>} */
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
