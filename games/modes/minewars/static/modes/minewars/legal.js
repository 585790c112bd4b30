// Predicts an order's cost and legality without asking the server: the mirror of `check` in rules/orders.py,
// using only what the viewer knows. The server decides; a test compares both over random matches.

import {
  BARRICADE,
  BRIDGE,
  DECOY,
  DESTROYED,
  FERTILE,
  FOG,
  FOREST,
  isClusterKind,
  isFlagged,
  isLandKind,
  isProtected,
  itemOf,
  ITEMS,
  kindOf,
  LAND,
  levelOf,
  LIMITED,
  MINE,
  MOUNTAIN,
  ownerOf,
  pendingOf,
  ROAD,
  structureOf,
  STRUCTURES,
  TOWER,
  WATER,
  digitOf,
} from "./codes.js";

/** @typedef {import("./fold.js").Game} Game */
/** @typedef {import("./topology.js").Topology} Topology */
/** @typedef {{ type: string, cell?: number, cells?: number[], item?: string, structure?: string, on?: boolean }} Action */

/** The numbers of rules/ruleset.py, for views that don't include them. */
export const NUMBERS = {
  strike_cost: 100,
  strike_tile_cost: 25,
  strike_most: 19,
  reveal_cost: 1000,
  smoke_cost: 200,
  mine_cost: 300,
  decoy_cost: 300,
  flashbang_cost: 400,
  road_cost: 150,
  barricade_cost: 800,
  tower_cost: 1200,
  bridge_cost: 500,
  foreign_percent: 125,
  price_percent: 100,
  price_step: 100,
  build_most: 64,
  land_harvest: 100,
  fertile_harvest: 250,
  forest_harvest: 420,
  mountain_harvest: 600,
  capture_cooldown: 125,
  strike_cooldown: 1000,
  reveal_cooldown: 1000,
  smoke_cooldown: 1000,
  deploy_cooldown: 1000,
  build_cooldown: 500,
  cancel_cooldown: 500,
  bulldoze_cooldown: 2000,
  harvest_cooldown: 1000,
  capture_delay: 250,
  strike_delay: 1000,
  reveal_delay: 250,
  smoke_delay: 500,
  deploy_delay: 500,
  bulldoze_delay: 5000,
  harvest_delay: 2000,
  sight_radius: 3,
  tower_radius: 5,
  siege_ms: 5000,
  protected_ms: 2500,
  smoke_ms: 5000,
  capture_from_cities: true,
  late_strike_percent: 100,
  late_overrun: 0,
  stun_ms: 5000,
  blind_ms: 5000,
};

/** @param {Action} action */
const cellsOf = ({ cells, cell }) => cells ?? [cell ?? -1];

/** The number of the item or structure, 1 for a flag that is set. @param {Action} action */
function whatOf({ type, item, structure, on }) {
  if (type === "deploy") return ITEMS.indexOf(item ?? "");
  if (type === "build") return STRUCTURES.indexOf(structure ?? "");
  return type === "flag" && on ? 1 : 0;
}

/** @param {number[]} a @param {number[]} b */
const same = (a, b) => a.length === b.length && a.every((value, i) => value === b[i]);

/**
 * @param {Topology} topo
 * @param {() => Game} game the view as it is now
 * @param {Record<string, any>} options of the match
 */
export function createLegal(topo, game, options = {}) {
  /** Cached per view's rules. @type {{ of: any, all: Record<string, any> }} */
  let known = { of: null, all: {} };
  /** @returns {Record<string, any>} */
  function numbers() {
    const { rules = NUMBERS } = game();
    if (known.of !== rules)
      known = { of: rules, all: { ...NUMBERS, price_percent: options.price_percent ?? 100, ...rules } };
    return known.all;
  }
  const tile = (/** @type {number} */ cell) => game().tiles[cell];
  const mine = (/** @type {number} */ cell) => ownerOf(tile(cell)) === game().empire;
  const isCity = (/** @type {number} */ cell) => game().cities.includes(cell);
  const isLand = (/** @type {number} */ cell) => isLandKind(tile(cell)) && !isCity(cell);
  /** The city that a tile's region belongs to, or -1. @param {number} cell */
  const regionOf = (cell) => (game().regions[cell] === "." ? -1 : game().regions.charCodeAt(cell) - 97);
  const ownsCity = (/** @type {number} */ city) => city >= 0 && mine(game().cities[city]);
  const ownsRegion = (/** @type {number} */ cell) => ownsCity(regionOf(cell));
  const ownCities = () => [...game().cities.keys()].filter(ownsCity);

  // -- money -------------------------------------------------------------------------------------------

  /** Thousandths, rounded up to the next step. @param {number} cost @param {boolean} foreign */
  function price(cost, foreign) {
    const { price_percent, price_step, foreign_percent } = numbers();
    const exact = game().unit * cost * price_percent * (foreign ? foreign_percent : 100);
    const step = price_step * 1000;
    const whole = 100 * 100 * 100 * step;
    const rest = exact % whole;
    return ((exact - rest) / whole + (rest ? 1 : 0)) * step;
  }

  /** The money in a city's bank at this time. @param {number} city @param {number} t */
  function money(city, t) {
    const bank = game().banks[city];
    if (!bank) return 0;
    return game().jobs[city]?.length ? bank.bank : bank.bank + bank.rate * (t - bank.at);
  }

  /** The viewer's city that pays for this tile, or -1. @param {number} cell */
  function localCity(cell) {
    if (ownsRegion(cell)) return regionOf(cell);
    let [best, near] = [-1, Infinity];
    for (const city of ownCities()) {
      const far = topo.distance(game().cities[city], cell);
      if (far < near) [best, near] = [city, far];
    }
    return best;
  }

  /** This city and all cities that roads connect it to. @param {number} city */
  function connected(city) {
    const group = [city];
    for (const at of group) {
      for (const [a, b] of game().links) {
        const other = a === at ? b : b === at ? a : at;
        if (!group.includes(other)) group.push(other);
      }
    }
    return group;
  }

  /** The cities that would pay for this tile, and their money in total. @param {number} cell @param {number} t */
  function purse(cell, t) {
    const city = localCity(cell);
    const group = city < 0 ? [] : connected(city);
    return { city, group, there: group.reduce((sum, one) => sum + money(one, t), 0) };
  }

  /**
   * The cost due when an order is given: structures may be paid for while they are built.
   * @param {Action} action
   * @param {number} t
   */
  const cost = (action, t = -Infinity) => (action.type === "build" && numbers().pay_as_built ? 0 : priceOf(action, t));

  /** Whether the late phase has begun. @param {number} t */
  const isLate = (t) => typeof game().late === "number" && t >= game().late;

  /** The price of an order, in thousandths. @param {Action} action @param {number} t */
  function priceOf(action, t = -Infinity) {
    const cells = cellsOf(action);
    const rules = numbers();
    let hundredths = 0;
    if (action.type === "build") return price(rules[`${action.structure}_cost`] * cells.length, false);
    if (action.type === "strike") {
      hundredths = rules.strike_cost + rules.strike_tile_cost * cells.length;
      if (isLate(t)) hundredths = Math.floor((hundredths * rules.late_strike_percent) / 100);
    } else if (action.type === "reveal" || action.type === "smoke") hundredths = rules[`${action.type}_cost`];
    else if (action.type === "deploy") hundredths = rules[`${action.item}_cost`];
    else return 0;
    const foreign = cells.some((cell) => regionOf(cell) >= 0 && !ownsRegion(cell));
    return price(hundredths, foreign);
  }

  // -- where ---------------------------------------------------------------------------------------------

  /** A finished bridge beside this tile with a tile of the viewer's on another side of it. @param {number} cell */
  const across = (cell) =>
    topo.neighbours[cell].some((n) => structureOf(tile(n)) === BRIDGE && topo.neighbours[n].some(mine));

  /**
   * Whether the viewer's land is beside this tile; cities count for unowned land, or if the rules allow it.
   * @param {number} cell
   */
  function isBeside(cell) {
    const cities = numbers().capture_from_cities || !ownerOf(tile(cell));
    return topo.neighbours[cell].some((n) => mine(n) && (cities || !isCity(n)));
  }

  /**
   * Whether capturing this tile, already the viewer's, takes any tile around it.
   * @param {number} cell
   * @param {number} t
   */
  function opens(cell, t) {
    const { expand_always, expand_over_others, late_overrun } = numbers();
    const overruns = expand_over_others || (Number.isFinite(t) && isLate(t) && late_overrun > 0);
    if (!expand_always || digitOf(tile(cell)) !== 0) return false;
    const around = topo.neighbours[cell];
    const isForeign = (/** @type {number} */ n) => ownerOf(tile(n)) > 0 && !mine(n);
    if (game().blind > t && around.some(isForeign)) return false; // the digit is wrong while blinded
    return around.some((n) => {
      const built = structureOf(tile(n));
      const hard = built === BARRICADE || built === TOWER || isProtected(tile(n)) || isFlagged(tile(n));
      return !mine(n) && (overruns || !isForeign(n)) && !hard && isLand(n);
    });
  }

  /** @param {number} cell @param {number} t */
  function capture(cell, t) {
    if (mine(cell)) return opens(cell, t) ? null : "already_yours";
    if (!isBeside(cell) && !across(cell)) return "not_adjacent";
    if (kindOf(tile(cell)) === WATER) return "not_land";
    const built = structureOf(tile(cell));
    if (isClusterKind(tile(cell)) || isCity(cell) || built === BARRICADE || built === TOWER) return "surround_it";
    return isProtected(tile(cell)) ? "protected" : null;
  }

  /** Whether one of the viewer's tiles or towers has this cell in sight. @param {number} cell */
  function isNear(cell) {
    const { sight_radius, tower_radius } = numbers();
    if (topo.disc(cell, sight_radius).some(mine)) return true;
    return topo.disc(cell, tower_radius).some((c) => mine(c) && structureOf(tile(c)) === TOWER);
  }

  /** @param {number[]} cells */
  function strike(cells) {
    const reach = numbers().strike_reach;
    for (const cell of cells) {
      if (levelOf(tile(cell)) === FOG) return "in_fog";
      if (reach && mine(cell)) return "already_yours";
      if (reach && !isNear(cell)) return "out_of_reach";
    }
    return null;
  }

  /** @param {number} cell */
  function smoke(cell) {
    if (levelOf(tile(cell)) === FOG) return "in_fog";
    const owner = ownerOf(tile(cell));
    return !owner || owner === game().empire || !isLandKind(tile(cell)) ? "not_enemy_land" : null;
  }

  const isPending = (/** @type {number} */ cell) => pendingOf(tile(cell)) > 0;

  /** @param {number} cell @param {number} item */
  function deploy(cell, item) {
    if (!mine(cell) || !isLand(cell)) return "not_your_land";
    const [lies, built] = [itemOf(tile(cell)), structureOf(tile(cell))];
    const taken = lies > 0 && !(item === MINE && lies === DECOY);
    return taken || isPending(cell) || built === BARRICADE || built === TOWER ? "not_empty" : null;
  }

  /** @param {number} cell */
  function buildable(cell) {
    if (!mine(cell) || !isLand(cell)) return "not_your_land";
    if (!ownsRegion(cell)) return "not_your_region";
    return itemOf(tile(cell)) || structureOf(tile(cell)) || isPending(cell) ? "not_empty" : null;
  }

  /** All tiles of these kinds joined to this one. @param {number} from @param {(cell: number) => boolean} joins */
  function piece(from, joins) {
    const found = new Set([from]);
    for (const cell of found) for (const n of topo.sides[cell]) if (joins(n)) found.add(n);
    return found;
  }

  /** @param {number[]} cells */
  function barricade(cells) {
    const asked = new Set(cells);
    if (piece(cells[0], (cell) => asked.has(cell)).size < asked.size) return "bad_site";
    const mountain = (/** @type {number} */ cell) => kindOf(tile(cell)) === MOUNTAIN;
    /** @type {Set<number>[]} */
    const clusters = [];
    for (const cell of cells) {
      for (const n of topo.neighbours[cell]) {
        if (!mountain(n) || clusters.some((one) => one.has(n))) continue;
        if (!mine(n)) return "bad_site";
        clusters.push(piece(n, mountain));
      }
    }
    return clusters.length < 2 ? "bad_site" : null;
  }

  /** The viewer's land at an end of a bridge here, or -1. @param {number} cell */
  function bridgeEnd(cell) {
    if (kindOf(tile(cell)) !== WATER) return -1;
    const pairs = topo.opposites(cell).filter(([a, b]) => isLand(a) && isLand(b));
    const ends = pairs.flat().filter(mine);
    ends.sort((a, b) => Number(!ownsRegion(a)) - Number(!ownsRegion(b)) || a - b);
    return ends[0] ?? -1;
  }

  /** The kind of structure that the viewer has queued on this tile, or 0. @param {number} cell */
  function ownJob(cell) {
    for (const jobs of game().jobs) {
      for (const [kind, cells] of jobs ?? []) if (cells.includes(cell)) return kind;
    }
    return 0;
  }

  /** @param {number} cell */
  function bridge(cell) {
    const end = bridgeEnd(cell);
    if (end < 0) return "bad_site";
    if (!ownsRegion(end)) return "not_your_region";
    return ownJob(cell) || structureOf(tile(cell)) ? "not_empty" : null;
  }

  /** @param {number[]} cells @param {number} kind */
  function build(cells, kind) {
    if ((kind === BRIDGE || kind === TOWER) && cells.length !== 1) return "bad_site";
    if (kind === BRIDGE) return bridge(cells[0]);
    for (const cell of cells) {
      const code = buildable(cell);
      if (code) return code;
    }
    if (kind === BARRICADE) return barricade(cells);
    if (kind === ROAD) return null;
    return topo.neighbours[cells[0]].some((n) => isClusterKind(tile(n)) && !mine(n)) ? "bad_site" : null;
  }

  /** The yield of a harvest, by the tile's kind. @param {number} cell */
  function yieldOf(cell) {
    const rules = numbers();
    /** @type {Record<number, number>} */
    const by = {
      [LAND]: rules.land_harvest,
      [FERTILE]: rules.fertile_harvest,
      [FOREST]: rules.forest_harvest,
      [MOUNTAIN]: rules.mountain_harvest,
      [DESTROYED]: 0,
    };
    return by[kindOf(tile(cell))] ?? 0;
  }

  /** @param {number} cell */
  function harvest(cell) {
    if (!mine(cell)) return "not_your_land";
    if (!ownsRegion(cell)) return "not_your_region";
    return yieldOf(cell) ? null : "nothing_to_harvest";
  }

  /**
   * Why this action is illegal there, ignoring money and cooldown; null if it is legal.
   * @param {Action} action
   * @param {number} t
   */
  function possible(action, t = Infinity) {
    const cells = cellsOf(action);
    const cell = cells[0];
    if (cells.some((one) => !(one >= 0 && one < topo.size))) return "out_of_range";
    switch (action.type) {
      case "capture":
        return capture(cell, t);
      case "strike":
        return strike(cells);
      case "reveal":
        return levelOf(tile(cell)) === LIMITED ? null : "not_limited";
      case "smoke":
        return smoke(cell);
      case "deploy":
        return deploy(cell, whatOf(action));
      case "build":
        return build(cells, whatOf(action));
      case "cancel":
        return ownJob(cell) ? null : "nothing_there";
      case "bulldoze":
        return mine(cell) && structureOf(tile(cell)) ? null : "nothing_there";
      case "harvest":
        return harvest(cell);
      case "ping":
        return Object.keys(game().allies ?? {}).length ? null : "no_ally";
      default:
        return null;
    }
  }

  /**
   * The pairs of the viewer's cities that roads on these tiles would connect, in addition to existing and
   * queued roads: the mirror of rules/roads.py.
   * @param {number[]} cells
   * @returns {[number, number][]}
   */
  function newLinks(cells) {
    const asked = new Set(cells);
    const { roads_cross_bridges: cross } = numbers();
    const isRoad = (/** @type {number} */ cell) =>
      asked.has(cell) || (mine(cell) && (structureOf(tile(cell)) === ROAD || pendingOf(tile(cell)) === ROAD));
    const isLinked = (/** @type {number} */ a, /** @type {number} */ b) => {
      const passes = (/** @type {number} */ cell) =>
        (cross && structureOf(tile(cell)) === BRIDGE) || (isRoad(cell) && [a, b].includes(regionOf(cell)));
      const goal = new Set(topo.neighbours[game().cities[b]]);
      const reached = new Set(topo.neighbours[game().cities[a]].filter(passes));
      for (const cell of reached) {
        if (goal.has(cell)) return true;
        for (const next of topo.neighbours[cell]) if (passes(next)) reached.add(next);
      }
      return false;
    };
    const own = ownCities();
    /** @type {[number, number][]} */
    const found = [];
    own.forEach((b, i) => {
      for (const a of own.slice(0, i)) {
        if (!game().links.some((/** @type {[number, number]} */ [x, y]) => x === a && y === b) && isLinked(a, b))
          found.push([a, b]);
      }
    });
    return found;
  }

  /** The tile whose region pays. @param {Action} action */
  const payingTile = (action) => (action.structure === "bridge" ? bridgeEnd(cellsOf(action)[0]) : cellsOf(action)[0]);

  /**
   * Why the server would refuse this action now; null if it would accept it.
   * @param {Action} action
   * @param {number} t
   */
  function check(action, t) {
    const { watching, scores, empire, stunned, ready, orders } = game();
    if (watching || scores[empire - 1][5] !== null) return "eliminated";
    if (stunned > t && !(action.type === "flag" && numbers().flag_while_stunned)) return "stunned";
    const cells = cellsOf(action);
    if (cells.some((cell) => !(cell >= 0 && cell < topo.size))) return "out_of_range";
    if ((ready[action.type] ?? 0) > t) return "cooling_down";
    const what = whatOf(action);
    const twice = Object.values(orders).some(
      (order) => order.action === action.type && order.what === what && same(order.cells, cells),
    );
    if (twice) return "already_ordered";
    const code = possible(action, t);
    if (code) return code;
    const amount = cost(action, t);
    return amount && purse(payingTile(action), t).there < amount ? "too_expensive" : null;
  }

  return {
    check,
    possible,
    cost,
    priceOf,
    money,
    purse,
    payingTile,
    isLate,
    newLinks,
    yieldOf,
    regionOf,
    ownsRegion,
    ownCities,
    ownJob,
    isLand,
    isCity,
    mine,
    numbers,
  };
}

/** @typedef {ReturnType<typeof createLegal>} Legal */
