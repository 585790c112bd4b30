// Replays of MineWars: each seat's view, the spectators' view, the truth, and the empires' figures over time.

import { n, t } from "site/i18n.js";

import { createWarBoard } from "./board.js";
import { withDigits } from "./digits.js";
import { picture, starsFlashbangs } from "./picture.js";
import { createTopology } from "./topology.js";
import { tilesOver } from "./truth.js";
import { amount, cityName, describeTile } from "./words.js";

/**
 * @param {any} replay
 * @param {string} view the name of a stream, or "truth"
 */
export function panes({ tracks, players, truth }, view) {
  const at = tilesOver(truth.timeline);
  const seats = players.map((/** @type {any} */ _, /** @type {number} */ seat) => String(seat));
  return [
    {
      title: t("Map"),
      you: seats.includes(view) ? Number(view) : null,
      /** @param {HTMLElement} holder @param {any} options */
      create(holder, options) {
        const { game, options: of } = tracks.public.view;
        const topo = createTopology(of.topology, of.radius);
        const nameOf = (/** @type {number} */ empire) =>
          (game.empires[empire - 1] ?? []).map((/** @type {number} */ seat) => players[seat]?.name ?? "").join(" & ");
        const board = createWarBoard(holder, {
          ...options,
          describe: (cell) => describeTile({ ...game, tiles: board.state.tiles }, topo, cell, nameOf),
        });
        return board;
      },
      /** @param {number} time */
      draw(time) {
        if (view !== "truth") return { drawn: picture(tracks[view].seek(time)) };
        const { game, options } = tracks.public.view;
        const topo = createTopology(options.topology, options.radius);
        const tiles = withDigits(topo, at(time), game.cities, starsFlashbangs(game));
        return { drawn: { ...picture(tracks.public.view), tiles, empire: 0 } };
      },
    },
  ];
}

export const firstView = "truth";

/** A player's stream, because the public one lags by the spectators' delay. */
export const truthStream = "0";

/** @param {any} view */
export const columns = ({ options }) => 2 * options.radius + 1;

/**
 * For the truth, from each player's own view, because views round other players' tiles.
 * @param {any} view
 * @param {any[]} seats
 * @returns {string[]}
 */
export const scores = (view, seats) => {
  /** @type {string[]} */
  const found = [];
  view.game.empires.forEach((/** @type {number[]} */ members, /** @type {number} */ empire) => {
    for (const seat of members) {
      const [cities, tiles] = (seats[seat] ?? view).game.scores[empire];
      found[seat] = `${n("{n} city", "{n} cities", cities)}, ${n("{n} tile", "{n} tiles", tiles)}`;
    }
  });
  return found;
};

/** @param {any} replay @returns {import("games/replay/types.d.ts").Plot[]} */
export function plots({ truth, players, streams }) {
  const { empires } = streams.public.start.game;
  /** @type {import("./truth.js").Timeline} */
  const { figures } = truth.timeline;
  const plot = (/** @type {string} */ title, /** @type {0 | 1 | 2} */ which, steps = false) => ({
    title,
    steps,
    lines: empires.map((/** @type {number[]} */ seats, /** @type {number} */ empire) => ({
      name: seats.map((seat) => players[seat]?.name ?? "").join(" & "),
      seat: seats[0],
      points: figures.map(([time, rows]) => [time, rows[empire][which]]),
    })),
  });
  return [plot(t("Tiles"), 1, true), plot(t("Cities"), 0, true), plot(t("Money"), 2)];
}

/** The tiles to frame: none if an event is about many. @param {any} event */
export function framed({ type, cell, cells = [], tiles = [] }) {
  if (typeof cell === "number") return [cell];
  if (type === "tiles")
    return tiles.length > 24 ? [] : tiles.filter((/** @type {number} */ _, /** @type {number} */ i) => i % 2 === 0);
  return cells.length > 19 ? [] : cells;
}

/** @type {Record<string, string>} */
const ORDERS = {
  capture: t("Capture ordered."),
  strike: t("Strike ordered."),
  reveal: t("Reveal ordered."),
  smoke: t("Smoke ordered."),
  deploy: t("An item is being laid."),
  build: t("Structure ordered."),
  cancel: t("Structure cancelled."),
  bulldoze: t("A structure is being bulldozed."),
  harvest: t("A harvest begins."),
};

/** @param {{ name: (seat: number) => string, start: any }} tell */
export const words = ({ name, start }) => {
  const city = (/** @type {number} */ number) => cityName(start.game, number);
  const empire = (/** @type {number} */ one) => start.game.empires[one - 1].map(name).join(" & ");
  /** @type {Record<string, (event: any) => string>} */
  const own = {
    voted: () => t("Vote cast."),
    votes: ({ banned }) =>
      banned === null ? t("No city was banned.") : t("{city} is banned: nobody starts there.", { city: city(banned) }),
    began: () => t("The match begins."),
    tiles: ({ tiles }) => n("One tile changes.", "{n} tiles change.", tiles.length / 2),
    scores: () => t("The score changes."),
    bank: ({ city: number, bank }) => t("{city} has {money}.", { city: city(number), money: amount(bank) }),
    jobs: ({ city: number, jobs }) =>
      n("{city} has one structure to build.", "{city} has {n} structures to build.", jobs.length, {
        city: city(number),
      }),
    city_lost: ({ city: number }) => t("{city} is lost.", { city: city(number) }),
    taken: ({ city: number, by }) => t("{name} took {city}.", { name: empire(by), city: city(number) }),
    links: () => t("The road connections change."),
    siege: ({ city: number, by }) =>
      by
        ? t("{name} besieges {city}.", { name: empire(by), city: city(number) })
        : t("The siege of {city} is over.", { city: city(number) }),
    ordered: ({ action }) => ORDERS[action] ?? t("Order given."),
    done: ({ code }) => (code ? t("Order failed.") : t("Order carried out.")),
    exploded: ({ cells }) => n("An explosion.", "{n} explosions.", cells.length),
    tremor: () => t("The ground shakes somewhere."),
    killed: ({ victim }) => t("{name} stepped on a mine.", { name: empire(victim) }),
    flashed: ({ victim }) => t("{name} is blinded.", { name: empire(victim) }),
    eliminated: ({ empire: one }) => t("{name} has no cities left.", { name: empire(one) }),
    watching: () => t("The broadcast begins."),
    sold: ({ amount: sum }) => t("+{sum}: items sold.", { sum: amount(sum) }),
    harvested: ({ amount: sum }) => t("+{sum}: harvest.", { sum: amount(sum) }),
    refunded: ({ amount: sum }) => t("+{sum}: refund.", { sum: amount(sum) }),
  };
  return own;
};
