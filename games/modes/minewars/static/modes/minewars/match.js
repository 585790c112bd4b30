// The match page of MineWars: the map, the tools under it, a card per city, and the news.

import { announce } from "site/announce.js";
import { h, setText, toggle } from "site/dom.js";
import { n, t } from "site/i18n.js";
import { keyText } from "games/keys.js";
import { stoppedText } from "games/match/retired.js";
import { countdownText, secondsLeft } from "games/match/time.js";

import { createBan, yields } from "./ban.js";
import { createWarBoard } from "./board.js";
import { createCards } from "./cards.js";
import { isLandKind, ownerOf } from "./codes.js";
import { foreignDigits } from "./digits.js";
import { openHelp, warKeys } from "./help.js";
import { createHints } from "./hints.js";
import { startKeys } from "./keys.js";
import { createLegal } from "./legal.js";
import { createMinimap } from "./minimap.js";
import { createNews } from "./news.js";
import { createOrders } from "./orders.js";
import { picture } from "./picture.js";
import { createRadial } from "./radial.js";
import { createTicker } from "./ticker.js";
import { createTools } from "./tools.js";
import { createTopology } from "./topology.js";
import { createUsable } from "./usable.js";
import { amount, cityName, describeTile } from "./words.js";

const CLOSE = 34; // CSS pixels across a tile, for comfortable play
const TAP = 28; // CSS pixels across the smallest tile that takes a tap
const URGENT = 60_000; // ms
const LOOK = 180; // ms between updates of banks and prices
const FLOOD = 100; // numbers in a `tiles` event; larger ones are drawn over several frames

/** @param {any} page the page that match/page.js passes to a mode */
export function create(page) {
  const { session, prefs, sound } = page;
  const { options } = session.view;
  const game = () => session.view.game;
  const topo = createTopology(options.topology, options.radius);
  const legal = createLegal(topo, game, options);
  const nameOf = (/** @type {number} */ empire) =>
    (game().empires[empire - 1] ?? []).map((/** @type {number} */ seat) => session.name(seat)).join(" & ");
  /** From 0. @param {number} seat */
  const empireOf = (seat) => game().empires.findIndex((/** @type {number[]} */ seats) => seats.includes(seat));
  const frame = h("div.board-frame");
  const board = createWarBoard(frame, {
    prefs,
    label: t("Map"),
    interactive: session.seat !== null,
    describe: (cell) => describeTile({ ...game(), tiles: board.state.tiles }, topo, cell, nameOf),
    time: () => session.time(),
  });
  const ticker = createTicker(page.notices);
  const bindings = warKeys(prefs);
  const key = (/** @type {string} */ name) => keyText(bindings.key(name));
  const tools = createTools({
    pick: (tool) => (orders.arm(tool), board.focus()),
    fire: () => orders.fire(),
    drop: () => orders.drop(),
    keyOf: key,
  });
  const help = () => openHelp(bindings, tools.showKeys);
  const hints = createHints({ page, board, legal, topo, key });
  tools.element.prepend(hints.element);
  const orders = createOrders({ page: { ...page, notices: ticker }, board, legal, topo, tools: () => tools });
  const usable = createUsable(legal, () => ({ size: topo.size, game: game() }), orders.actionOf);
  const news = createNews({ page: { ...page, notices: ticker }, board, nameOf, legal, key });
  const go = (/** @type {number} */ cell) => {
    board.look(cell, TAP);
    board.set({ cursor: cell });
  };
  const cards = createCards({ session, legal, go, cancel: (cell) => orders.give({ type: "cancel", cell }) });
  const radial = createRadial({
    board,
    ask(tool, cell) {
      const action = orders.actionOf(tool, [cell]);
      if (legal.possible(action, session.time())) return null;
      // A strike on the player's own land is always a mistake.
      if (action.type === "strike" && legal.mine(cell)) return null;
      const time = session.time();
      const due = legal.cost(action, time);
      const poor = due > 0 && legal.purse(legal.payingTile(action), time).there < due;
      return { price: legal.priceOf(action, time), poor };
    },
    pick: (tool, cell) => orders.pick(tool, cell),
  });
  const ban = createBan(session, (cell) => board.effect("ping", cell, { duration: 1200 }));
  const stunned = bar("is-stunned", t("Stunned"));
  const blind = bar("is-blind", t("Blinded"));
  /** @param {string} symbol @param {string} label @param {() => void} run */
  const corner = (symbol, label, run) =>
    h("button.button.quiet.icon-only", { type: "button", title: label, "aria-label": label, onclick: run }, symbol);
  const borders = corner("⬡", t("Show regions, city names and what their land earns"), toggleRegions);
  const alarm = corner("!", t("Go to the last alert"), () => go(news.alert));
  alarm.classList.add("war-alert");
  alarm.hidden = true;
  const zooms = [
    corner("−", t("Zoom out"), () => board.zoom(0.8)),
    corner("+", t("Zoom in"), () => board.zoom(1.25)),
    corner("⤢", t("Whole map"), () => board.fit()),
    borders,
    alarm,
    // Devices without a keyboard don't need the list of keys.
    matchMedia("(any-pointer: fine)").matches ? corner("?", t("Keys"), help) : null,
  ];
  const element = h(
    "div.war",
    {},
    frame,
    cards.element,
    h("div.war-corner", {}, createMinimap(board, t("Map")), h("div.war-zooms", {}, zooms)),
    ticker.element,
    h("div.war-bars", { role: "status" }, stunned.element, blind.element),
    tools.element,
    radial.element,
  );
  let asked = false; // to show legal targets anew
  let isOld = false; // the map: events since it was drawn have changed tiles
  let isMarkedOld = false; // likewise, what is marked on it
  let regions = false;
  let shownPhase = "";
  let land = 0; // the number of land tiles on the whole map
  let lastCapture = -1;
  let looked = 0; // when banks and prices were last shown
  let money = ""; // the total of the player's cities

  function toggleRegions() {
    regions = !regions;
    borders.setAttribute("aria-pressed", String(regions));
    marks();
  }

  /** @param {string} kind @param {string} label */
  function bar(kind, label) {
    const text = h("span");
    const fill = h("i");
    const made = h(`div.war-effect.${kind}`, { hidden: true }, fill, text);
    return {
      element: made,
      /** @param {number} left @param {number} whole */
      show(left, whole) {
        toggle(made, left > 0);
        if (left <= 0) return;
        fill.style.width = `${Math.min(100, (100 * left) / whole)}%`;
        setText(text, `${label} ${secondsLeft(left)} s`);
      },
    };
  }

  function draw(from = -1) {
    board.show(picture(session.view), { from });
    isOld = false;
    asked = true;
    land = board.state.tiles.reduce((sum, code) => sum + Number(isLandKind(code)), 0);
  }

  /** The full duration of the siege of this city that ends at `falls`. @param {number} city @param {number} falls */
  function siegeTime(city, falls) {
    const { siege_ms: neutral, held_siege_ms: held, late_siege_ms: late } = legal.numbers();
    if (late && legal.isLate(falls - late)) return late;
    return held && ownerOf(game().tiles[game().cities[city]]) ? held : neutral;
  }

  /** Show what the events of a message have changed: together, because a message often has many. */
  function catchUp() {
    if (isOld) {
      draw(lastCapture);
      lastCapture = -1;
    }
    if (isMarkedOld) marks();
  }

  function marks() {
    isMarkedOld = false;
    const rules = legal.numbers();
    const allies = Object.values(game().allies ?? {}).flatMap((orders) => Object.values(orders));
    const under = [...Object.values(game().orders), ...allies].map(({ action, cells, what, due }) => ({
      cells,
      icon: action === "deploy" ? ["", "mine", "decoy", "flashbang"][what] : action === "bulldoze" ? "clear" : action,
      due,
      lasts: rules[`${action}_delay`] || 1000,
    }));
    const sieges = game().sieges.flatMap((/** @type {any} */ siege, /** @type {number} */ city) =>
      siege ? [{ cell: game().cities[city], by: siege[0], falls: siege[1], lasts: siegeTime(city, siege[1]) }] : [],
    );
    const rims = [
      ...Object.entries(game().protected ?? {}).map(([cell, until]) => ({ cell: Number(cell), until, smoke: false })),
      ...Object.entries(game().smoke ?? {}).map(([cell, until]) => ({ cell: Number(cell), until, smoke: true })),
    ].map((rim) => ({ ...rim, lasts: rim.smoke ? rules.smoke_ms : rules.protected_ms }));
    const setup = session.view.phase === "setup";
    const worths = setup || regions ? yields(game()) : [];
    const labels = game().cities.map((/** @type {number} */ cell, /** @type {number} */ city) => {
      const votes =
        game()
          .votes?.flat()
          .filter((/** @type {number} */ one) => one === city).length ?? 0;
      const mine = setup && game().vote.includes(city) ? " ✓" : "";
      const name = cityName(game(), city);
      const worth = t("+{n}/s", { n: worths[city] });
      return { cell, text: setup && votes ? `${name} (${votes})` : `${name}${mine}`, under: worth };
    });
    board.mark({
      orders: under,
      sieges,
      rims,
      labels: setup || regions ? labels : [],
      regions: setup || regions ? game().regions : null,
    });
  }

  /** @typedef {{ kind: string, cell: number, shift?: boolean, touch?: boolean }} Act */
  board.on("act", (/** @type {Act} */ { kind, cell, shift, touch }) => {
    if (session.view.phase === "setup") {
      const city = game().cities.indexOf(cell);
      const region = city < 0 ? legal.regionOf(cell) : city;
      if (region >= 0) ban.vote(region);
    } else if (touch && board.place(cell).size < TAP) board.look(cell, CLOSE);
    else if (kind === "secondary") orders.flag(cell);
    else orders.use(cell, { keep: Boolean(shift), touch: Boolean(touch) });
  });
  board.on("menu", (/** @type {number} */ cell) => {
    if (session.view.phase !== "live" || !board.state.enabled) return;
    if (board.place(cell).size < TAP && matchMedia("(pointer: coarse)").matches) board.look(cell, CLOSE);
    radial.open(cell);
  });
  board.on("lift", (/** @type {{ x: number, y: number }} */ { x, y }) => radial.lift(x, y));
  board.on("viewport", () => radial.close());
  board.on("drag", orders.drag);
  board.on("hover", orders.hover);
  board.menu = true;
  // Enter marks the tile at the cursor; on a marked tile it gives the order.
  board.confirm = () => (!board.state.cursorShown || orders.chosen.includes(board.state.cursor)) && orders.fire();

  /** The player's first city, else the middle of the map. */
  const home = () => game().cities[legal.ownCities()[0]] ?? topo.middle;

  startKeys({
    page,
    board,
    orders,
    topo,
    legal,
    go,
    bindings,
    help,
    alert: () => news.alert,
    toggleRegions,
    showForeign(on) {
      const { star_flashbangs: stars } = legal.numbers();
      const foreign = on ? foreignDigits(topo, game().tiles, game().empire, stars) : [];
      board.mark({ foreign });
      if (on && !foreign.length) announce(t("No other player’s land in sight."));
    },
    money() {
      const time = session.time();
      const all = legal.ownCities().map((city) => `${cityName(game(), city)}: ${amount(legal.money(city, time))}`);
      announce(all.join(", ") || t("You have no cities left."));
    },
  });

  /** The label of the clock: time left, or the late phase. */
  function clockLabel() {
    const { late_siege_ms: late } = legal.numbers();
    const time = session.time();
    if (legal.isLate(time)) return t("Late phase: sieges take {seconds} s", { seconds: late / 1000 });
    const soon = typeof game().late === "number" ? game().late - time : Infinity;
    return soon < URGENT ? t("Late phase in {seconds} s", { seconds: secondsLeft(soon) }) : t("Time left");
  }

  /** Follow a change of phase: the whole map for the vote, the player's corner during play. */
  function phase() {
    const { phase: now } = session.view;
    if (shownPhase === now) return;
    element.dataset.phase = now;
    // The cities are dealt a moment after the match has begun.
    if (now === "live" && session.seat !== null && !legal.ownCities().length) return;
    shownPhase = now;
    if (now !== "live" || session.seat === null) return board.fit();
    board.look(home(), CLOSE);
    board.set({ cursor: home() });
    if (document.activeElement === document.body) board.focus();
  }

  return {
    element,
    boards: [board],
    panel: ban.element,
    view() {
      draw();
      news.start();
      marks();
      phase();
      orders.show();
      for (const [type, until] of Object.entries(game().ready)) tools.cool(type, Number(until) - session.time());
    },
    /** @param {any} event */
    event(event) {
      const { type } = event;
      if (type === "tiles") {
        news.losses(event.tiles);
        if (event.tiles.length > FLOOD) looked = performance.now(); // the next frames are busy enough
        isOld = isMarkedOld = true;
        return;
      }
      if (type === "ordered") {
        if ("order" in event) news.given.set(event.order, event.cells);
        orders.answered(event.cells);
        tools.cool(event.action, event.ready - session.time());
        if (event.action === "deploy" || event.action === "build") sound.play("flag");
      }
      if (type === "done" && !event.code) lastCapture = news.given.get(event.order)?.[0] ?? -1;
      news.tell(event);
      hints.tell(event);
      if (type === "done") news.given.delete(event.order);
      if (type === "began" || type === "over" || type === "started") draw();
      if (type === "began") (sound.play("start"), board.focus());
      isMarkedOld = true;
    },
    keys: help,
    /** @param {any} refusal */
    explain: ({ code, action }) => (code && action ? orders.why(code, action) : null),
    /** @param {any} refusal */
    refused({ action, code }) {
      if (code === "cooling_down" && action && orders.again(action)) return;
      const cells = action?.cells ?? (Number.isInteger(action?.cell) ? [action.cell] : []);
      orders.answered(cells);
      if (cells.length) board.effect("refuse", cells[0], { duration: 350 });
      sound.play("refuse");
    },
    tick() {
      const { phase: now } = session.view;
      const time = session.time();
      catchUp();
      phase();
      const fallen = game().watching || game().scores[game().empire - 1]?.[5] !== null;
      const out = session.seat !== null && fallen;
      board.enable(session.playing && !out);
      toggle(tools.element, session.playing && now === "live" && !out);
      ban.update();
      hints.update();
      toggle(alarm, now === "live" && news.alert >= 0 && !out);
      const rules = legal.numbers();
      stunned.show(now === "live" ? game().stunned - time : 0, rules.stun_ms);
      blind.show(now === "live" ? game().blind - time : 0, rules.blind_ms);
      if (now === "live" && session.playing && !out) news.tick();
      // Money changes with every message. Updating the layout each time would cost more than drawing the map.
      if (performance.now() < looked + LOOK) return;
      looked = performance.now();
      cards.update();
      money = amount(legal.ownCities().reduce((sum, city) => sum + legal.money(city, time), 0));
      if (now !== "live" || !session.playing || out) return;
      const cell = board.state.hover >= 0 ? board.state.hover : board.state.cursorShown ? board.state.cursor : home();
      tools.prices((tool) => {
        const action = orders.actionOf(tool, tool.many && orders.chosen.length ? orders.chosen : [cell]);
        return usable.ask(tool, action, time);
      });
      if (asked) {
        asked = false;
        orders.glow();
        orders.hover(board.state.hover);
        orders.show();
      }
    },
    flashes: true,
    clock() {
      const { phase: now, setup_ends: setupEnds } = session.view;
      if (now === "setup")
        return { text: countdownText(setupEnds - session.time()), label: t("Time to ban a city"), urgent: true };
      if (now === "over" || game().ends === null) return null;
      const left = game().ends - session.time();
      return { text: countdownText(left), label: clockLabel(), urgent: left < URGENT };
    },
    counter() {
      if (session.view.phase !== "live") return null;
      const delay = legal.numbers().watch_delay_seconds;
      if (game().watching) return delay ? { text: t("{n} s", { n: delay }), label: t("Delay") } : null;
      if (!game().empire) return null;
      return { text: money, label: t("Money") };
    },
    readies: false,
    /** Allies share their empire's colour on the map. @param {number} seat */
    side(seat) {
      const team = game().empires[empireOf(seat)] ?? [seat];
      return { colour: team[0], badge: seat !== session.seat && team.includes(session.seat) ? t("ally") : null };
    },
    /** @param {number} seat */
    row(seat) {
      const empire = empireOf(seat);
      const [cities, tiles, kills, deaths, , out] = game().scores[empire] ?? [];
      const fallen = out !== null && out !== undefined;
      const held = n("{n} tile", "{n} tiles", tiles ?? 0);
      const text = kills || deaths ? `${held}, ${kills} ⚔ ${deaths} ☠` : held;
      if (session.view.phase === "setup") return {};
      // Spectators see the start with a delay; until then there is nothing to show.
      if (game().watching && game().scores.every((/** @type {number[]} */ [count]) => !count)) return {};
      return {
        value: n("{n} city", "{n} cities", cities ?? 0),
        note: fallen ? { text: t("no cities left"), kind: "bad" } : { text, kind: "" },
        share: Math.min(1, (tiles ?? 0) / Math.max(1, land)),
      };
    },
    /** The last empire to fall may have given up, so this isn't always a conquest. */
    reason() {
      if (session.view.outcome.reason !== "conquest") return null;
      const went = game().scores.map((/** @type {any[]} */ row) => row[5] ?? -1);
      const last = Math.max(...went);
      const seats = game().empires[went.indexOf(last)] ?? [];
      const left = seats.map((/** @type {number} */ seat) => session.view.seats[seat].retired);
      const gaveUp = left.every((/** @type {number | null} */ at) => at !== null) && left.includes(last);
      return gaveUp ? stoppedText(session, seats) : null;
    },
    facts() {
      if (session.seat === null || session.view.outcome.aborted) return [];
      const [cities, tiles, kills, deaths, captures] = game().scores[game().empire - 1];
      return [
        [t("Cities"), String(cities)],
        [t("Tiles"), String(tiles)],
        [t("Cities taken"), String(captures)],
        [t("Mine hits: dealt / taken"), `${kills} / ${deaths}`],
      ];
    },
  };
}
