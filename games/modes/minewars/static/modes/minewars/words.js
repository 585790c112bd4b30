// Tiles, orders and events in words.

import { n, t } from "site/i18n.js";

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
const ITEMS = ["", t("a mine"), t("a decoy"), t("a flashbang")];
export const STRUCTURES = ["", t("road"), t("barricade"), t("tower"), t("bridge")];

/** 525000 thousandths -> "525". @param {number} thousandths */
export const amount = (thousandths) => Math.floor(thousandths / 1000).toLocaleString();

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
  if (C.itemOf(code)) words.push(ITEMS[C.itemOf(code)]);
  if (C.structureOf(code)) words.push(`${STRUCTURES[C.structureOf(code)]} ${C.hpOf(code)}`);
  if (C.pendingOf(code)) words.push(t("{structure} to be built", { structure: STRUCTURES[C.pendingOf(code)] }));
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

/** Why an order can't be given, in a few words: the server says the same in a sentence. */
export const REASONS = {
  eliminated: t("You have no city left."),
  flagged_here: t("Your flag is there. Take it away first."),
  stunned: t("You are stunned."),
  cooling_down: t("Too soon."),
  already_ordered: t("You have ordered that already."),
  already_yours: t("That tile is yours already."),
  not_adjacent: t("That tile is not next to yours."),
  not_land: t("Nobody can own water."),
  surround_it: t("Hold all land around it to take it."),
  protected: t("That tile was captured just now."),
  in_fog: t("That tile is in fog."),
  out_of_reach: t("That tile is out of reach."),
  no_ally: t("You have no ally to ping."),
  not_limited: t("Only a tile that you see but don’t know can be revealed."),
  not_enemy_land: t("Smoke goes on land of another empire."),
  not_your_land: t("That is not your land."),
  not_your_region: t("You need the city of that region."),
  not_empty: t("Something stands or lies there already."),
  bad_site: t("That can’t stand there."),
  nothing_there: t("Nothing of yours is there."),
  nothing_to_harvest: t("There is nothing to harvest."),
};
