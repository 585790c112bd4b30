// The mirror of `fold` in rules/views.py: applies each event to a view.

import { isProtected, isSmoked } from "./codes.js";

/** @typedef {Record<string, any>} Game `view.game`, as rules/views.py makes it */
/** @typedef {Record<string, any> & { type: string }} Told an event */

/** @param {Told} event @param {string[]} names */
const some = (event, names) => Object.fromEntries(names.map((name) => [name, event[name]]));

/** When protection and smoke end; a tile without its bit has none. @param {Game} game @param {Told} event */
function foldEnds(game, event) {
  const { tiles } = event;
  for (const [name, isSo] of /** @type {[string, (code: number) => boolean][]} */ ([
    ["protected", isProtected],
    ["smoke", isSmoked],
  ])) {
    for (let i = 0; i < tiles.length; i += 2) if (!isSo(tiles[i + 1])) delete game[name][tiles[i]];
    const ends = event[name] ?? [];
    for (let i = 0; i < ends.length; i += 2) game[name][ends[i]] = ends[i + 1];
  }
}

/** @type {Record<string, (game: Game, event: Told) => void>} */
const FOLDS = {
  tiles(game, event) {
    const { tiles } = event;
    for (let i = 0; i < tiles.length; i += 2) game.tiles[tiles[i]] = tiles[i + 1];
    if ("protected" in game) foldEnds(game, event);
  },
  scores(game, { scores }) {
    for (const [empire, ...row] of scores) game.scores[empire - 1] = row;
  },
  bank(game, event) {
    game.banks[event.city] = some(event, ["bank", "rate", "at", "built"]);
  },
  jobs(game, { city, jobs }) {
    game.jobs[city] = jobs;
  },
  city_lost(game, { city }) {
    game.banks[city] = game.jobs[city] = null;
  },
  links(game, { links }) {
    game.links = links;
  },
  siege(game, { city, by, falls }) {
    game.sieges[city] = by ? [by, falls] : null;
  },
  ordered(game, event) {
    game.ready[event.action] = event.ready;
    if ("order" in event) game.orders[event.order] = some(event, ["action", "cells", "what", "due"]);
  },
  done(game, { order }) {
    delete game.orders[order];
  },
  killed(game, { victim, until, pause }) {
    if (game.watching || victim !== game.empire) return;
    game.stunned = until;
    for (const orders of [game.orders, ...Object.values(game.allies ?? {})]) {
      for (const order of Object.values(orders)) order.due += pause;
    }
  },
  flashed(game, { victim, until }) {
    if (!game.watching && victim === game.empire) game.blind = until;
  },
  eliminated(game, { empire }) {
    if (!game.watching && empire === game.empire) game.orders = {};
  },
  ally_ordered(game, event) {
    game.allies[event.seat][event.order] = some(event, ["action", "cells", "what", "due"]);
  },
  ally_done(game, { seat, order }) {
    delete game.allies[seat][order];
  },
  /** From now on the viewer gets the spectators' view. */
  watching(game, { tiles, scores }) {
    const none = () => game.cities.map(() => null);
    Object.assign(game, { watching: true, tiles: [...tiles], scores, banks: none(), jobs: none(), sieges: none() });
    Object.assign(game, { links: [], orders: {}, allies: {}, protected: {}, smoke: {} });
  },
  voted(game, { cities }) {
    game.vote = cities;
  },
  votes(game, { votes, banned }) {
    Object.assign(game, { votes, banned });
  },
  began(game, { t, ends, late }) {
    Object.assign(game, { began: t, ends }, late === undefined ? {} : { late });
  },
};

/** @param {Game} game @param {Told} event */
export function fold(game, event) {
  FOLDS[event.type]?.(game, event);
}
