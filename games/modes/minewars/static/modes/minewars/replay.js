// Replays of MineWars: what each seat knew, what spectators saw, and all of that together.

import { n, t } from "site/i18n.js";

import { createWarBoard } from "./board.js";
import { levelOf } from "./codes.js";
import { picture } from "./picture.js";
import { createTopology } from "./topology.js";
import { amount, cityName, describeTile } from "./words.js";

/** The bits that are one viewer's own: digit, star and flag. */
const PRIVATE = ~((15 << 20) | (1 << 24) | (1 << 28));

/** Of every tile what the one who saw most of it knew. @param {any[]} views @returns {import("./board.js").Picture} */
function together(views) {
  const drawn = picture(views[0]);
  if (views[0].truth) return { ...drawn, empire: 0 };
  const tiles = drawn.tiles.map((_, cell) => {
    let best = 0;
    for (const { game } of views) if (levelOf(game.tiles[cell]) >= levelOf(best)) best = game.tiles[cell];
    return best & PRIVATE;
  });
  return { ...drawn, tiles, empire: 0 };
}

/**
 * @param {any} replay
 * @param {string} view the name of a stream, or "truth"
 */
export function panes({ tracks, players }, view) {
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
        return { drawn: together(seats.map((/** @type {string} */ name) => tracks[name].seek(time))) };
      },
    },
  ];
}

export const firstView = "truth";

/** The public stream is late by the spectators' delay. */
export const truthStream = "0";

/** @param {any} view */
export const columns = ({ options }) => 2 * options.radius + 1;

/** @param {any} view @returns {string[]} */
export const scores = ({ game }) => {
  /** @type {string[]} */
  const found = [];
  game.empires.forEach((/** @type {number[]} */ seats, /** @type {number} */ empire) => {
    const [cities, tiles] = game.scores[empire];
    const text = `${n("{n} city", "{n} cities", cities)}, ${n("{n} tile", "{n} tiles", tiles)}`;
    for (const seat of seats) found[seat] = text;
  });
  return found;
};

/** Of many tiles none is the one. @param {any} event */
export function framed({ type, cell, cells = [], tiles = [] }) {
  if (typeof cell === "number") return [cell];
  if (type === "tiles")
    return tiles.length > 24 ? [] : tiles.filter((/** @type {number} */ _, /** @type {number} */ i) => i % 2 === 0);
  return cells.length > 19 ? [] : cells;
}

/** @type {Record<string, string>} */
const ORDERS = {
  capture: t("A capture is ordered."),
  strike: t("A strike is ordered."),
  reveal: t("A reveal is ordered."),
  smoke: t("Smoke is ordered."),
  deploy: t("An item is being laid."),
  build: t("A structure is ordered."),
  cancel: t("A structure is cancelled."),
  bulldoze: t("A structure is being bulldozed."),
  harvest: t("A harvest begins."),
};

/** @param {{ name: (seat: number) => string, start: any }} tell */
export const words = ({ name, start }) => {
  const city = (/** @type {number} */ number) => cityName(start.game, number);
  const empire = (/** @type {number} */ one) => start.game.empires[one - 1].map(name).join(" & ");
  /** @type {Record<string, (event: any) => string>} */
  const own = {
    voted: () => t("A vote is cast."),
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
    ordered: ({ action }) => ORDERS[action] ?? t("An order is given."),
    done: ({ code }) => (code ? t("An order came to nothing.") : t("An order takes effect.")),
    exploded: ({ cells }) => n("An explosion.", "{n} explosions.", cells.length),
    tremor: () => t("Somewhere the ground shakes."),
    killed: ({ victim }) => t("{name} stepped on a mine.", { name: empire(victim) }),
    flashed: ({ victim }) => t("{name} is blinded.", { name: empire(victim) }),
    eliminated: ({ empire: one }) => t("{name} has no city left.", { name: empire(one) }),
    watching: () => t("The broadcast begins."),
    sold: ({ amount: sum }) => t("+{sum}: items sold.", { sum: amount(sum) }),
    harvested: ({ amount: sum }) => t("+{sum}: harvest.", { sum: amount(sum) }),
    refunded: ({ amount: sum }) => t("+{sum}: refund.", { sum: amount(sum) }),
  };
  return own;
};
