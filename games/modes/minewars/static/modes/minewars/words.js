// Tiles, orders and events in words.

import { listed, n, t } from "site/i18n.js";

import * as C from "./codes.js";

const KINDS = [
  t("Water"),
  t("Land"),
  t("Fertile land"),
  t("Destroyed land"),
  t("Foundation"),
  t("Mountain"),
  t("Forest"),
];
const LYING = ["", t("a mine"), t("a decoy"), t("a flashbang")];
export const ITEMS = ["", t("mine"), t("decoy"), t("flashbang")];
export const STRUCTURES = ["", t("road"), t("barricade"), t("tower"), t("bridge")];

const figures = new Intl.NumberFormat();

/** 525000 thousandths -> "525". @param {number} thousandths */
export const amount = (thousandths) => figures.format(Math.floor(thousandths / 1000));

/** A city's name: the match's own, or its letter. @param {Record<string, any>} game @param {number} city */
export const cityName = (game, city) =>
  game.names?.[city] ?? t("City {letter}", { letter: String.fromCharCode(65 + city) });

/**
 * @param {Record<string, any>} game
 * @param {import("./topology.js").Topology} topo
 * @param {number} cell
 * @param {(empire: number) => string} nameOf
 */
export function describeTile(game, topo, cell, nameOf) {
  const code = game.tiles[cell];
  const city = game.cities.indexOf(cell);
  const words = [city < 0 ? KINDS[C.kindOf(code)] : cityName(game, city)];
  const owner = C.ownerOf(code);
  if (C.levelOf(code) === C.FOG) words.push(t("in fog"));
  else if (owner === game.empire && owner) words.push(t("yours"));
  else if (owner) words.push(t("owned by {name}", { name: nameOf(owner) }));
  else if (C.kindOf(code) !== C.WATER) words.push(t("nobody’s"));
  const digit = C.digitOf(code);
  if (digit >= 0)
    words.push(C.isStarred(code) ? t("digit {digit} with a decoy", { digit }) : t("digit {digit}", { digit }));
  if (C.itemOf(code)) words.push(LYING[C.itemOf(code)]);
  if (C.structureOf(code)) words.push(`${STRUCTURES[C.structureOf(code)]} ${C.hpOf(code)}`);
  if (C.pendingOf(code)) words.push(t("{structure} under construction", { structure: STRUCTURES[C.pendingOf(code)] }));
  if (C.isSmoked(code)) words.push(t("smoke"));
  if (C.isProtected(code)) words.push(t("protected"));
  if (C.hasSkull(code)) words.push(t("a mine exploded here"));
  if (C.isFlagged(code)) words.push(t("flag"));
  const region = game.regions[cell] === "." ? -1 : game.regions.charCodeAt(cell) - 97;
  if (city < 0 && region >= 0) {
    const far = topo.distance(game.cities[region], cell);
    words.push(n("one tile from {city}", "{n} tiles from {city}", far, { city: cityName(game, region) }));
  }
  return words.join(", ");
}

/**
 * Why an order is too expensive: its price, the cities that would pay, and their money together.
 * @param {Record<string, any>} game
 * @param {number} price thousandths
 * @param {{ group: number[], there: number }} purse
 */
export function tooExpensive(game, price, { group, there }) {
  const values = {
    price: amount(price),
    city: listed(group.map((city) => cityName(game, city))),
    money: amount(there),
  };
  return n("Costs {price}; {city} has {money}.", "Costs {price}; {city} have {money}.", group.length, values);
}

/** Why an order can't be given, in a few words; the server sends a full sentence. */
export const REASONS = {
  eliminated: t("You have no cities left."),
  flagged_here: t("Your flag is on that tile. Remove it first."),
  stunned: t("You’re stunned."),
  cooling_down: t("Too soon."),
  already_ordered: t("You’ve already ordered that."),
  already_yours: t("That tile is already yours."),
  not_adjacent: t("That tile isn’t next to your land."),
  not_land: t("Nobody can own water."),
  surround_it: t("Hold all the land around it to take it."),
  protected: t("That tile has just been captured and is still protected."),
  in_fog: t("That tile is in fog."),
  out_of_reach: t("That tile is out of reach."),
  no_ally: t("You have no ally to ping."),
  not_limited: t("You can only reveal a tile that you see but don’t know yet."),
  not_enemy_land: t("You can only use smoke on another empire’s land."),
  not_your_land: t("That isn’t your land."),
  not_your_region: t("You need to own that region’s city."),
  not_empty: t("There’s already something there."),
  bad_site: t("You can’t build that there."),
  nothing_there: t("There’s nothing of yours there."),
  nothing_to_harvest: t("There’s nothing to harvest there."),
  nowhere: t("There’s nowhere to use this yet."),
};
