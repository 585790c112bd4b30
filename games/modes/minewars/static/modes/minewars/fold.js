// The mirror of `fold` in rules/views.py: what each event changes in a view.

/** @typedef {Record<string, any>} Game `view.game`, as rules/views.py makes it */
/** @typedef {Record<string, any> & { type: string }} Told an event */

/** @param {Told} event @param {string[]} names */
const some = (event, names) => Object.fromEntries(names.map((name) => [name, event[name]]));

/** @type {Record<string, (game: Game, event: Told) => void>} */
const FOLDS = {
  tiles(game, { tiles }) {
    for (let i = 0; i < tiles.length; i += 2) game.tiles[tiles[i]] = tiles[i + 1];
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
    if (victim !== game.empire) return;
    game.stunned = until;
    for (const order of Object.values(game.orders)) order.due += pause;
  },
  flashed(game, { victim, until }) {
    if (victim === game.empire) game.blind = until;
  },
  eliminated(game, { empire }) {
    if (empire === game.empire) game.orders = {};
  },
  voted(game, { cities }) {
    game.vote = cities;
  },
  votes(game, { votes, banned }) {
    Object.assign(game, { votes, banned });
  },
  began(game, { t, ends }) {
    Object.assign(game, { began: t, ends });
  },
};

/** @param {Game} game @param {Told} event */
export function fold(game, event) {
  FOLDS[event.type]?.(game, event);
}
