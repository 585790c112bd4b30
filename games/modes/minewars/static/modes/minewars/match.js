// The match page of MineWars: the map, the tools under it, a card per city, and the news.

import { announce } from "site/announce.js";
import { h, setText, toggle } from "site/dom.js";
import { n, t } from "site/i18n.js";
import { countdownText, secondsLeft } from "games/match/time.js";

import { createBan } from "./ban.js";
import { createWarBoard } from "./board.js";
import { createCards } from "./cards.js";
import { isLandKind } from "./codes.js";
import { foreignDigits } from "./foreign.js";
import { openHelp } from "./help.js";
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
import { amount, cityName, describeTile } from "./words.js";

const CLOSE = 34; // CSS pixels across a tile, to play with ease
const TAP = 28; // CSS pixels across the smallest tile that takes a tap
const URGENT = 60_000; // ms

/** @param {any} page what match/page.js hands to a mode */
export function create(page) {
  const { session, prefs, sound } = page;
  const { options } = session.view;
  const game = () => session.view.game;
  const topo = createTopology(options.topology, options.radius);
  const legal = createLegal(topo, game, options);
  const nameOf = (/** @type {number} */ empire) =>
    (game().empires[empire - 1] ?? []).map((/** @type {number} */ seat) => session.name(seat)).join(" & ");
  const frame = h("div.board-frame");
  const board = createWarBoard(frame, {
    prefs,
    label: t("Map"),
    interactive: session.seat !== null,
    describe: (cell) => describeTile({ ...game(), tiles: board.state.tiles }, topo, cell, nameOf),
    time: () => session.time(),
  });
  const ticker = createTicker(page.notices);
  const tools = createTools({
    pick: (tool) => (orders.arm(tool), board.focus()),
    fire: () => orders.fire(),
    drop: () => orders.drop(),
  });
  const orders = createOrders({ page: { ...page, notices: ticker }, board, legal, topo, tools: () => tools });
  const news = createNews({ page: { ...page, notices: ticker }, board, nameOf, legal });
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
      // A strike on own land is never meant.
      if (action.type === "strike" && legal.mine(cell)) return null;
      const due = legal.cost(action);
      const poor = due > 0 && legal.purse(legal.payingTile(action), session.time()).there < due;
      return { price: legal.priceOf(action), poor };
    },
    pick: (tool, cell) => orders.pick(tool, cell),
  });
  const ban = createBan(session, (cell) => board.effect("ping", cell, { duration: 1200 }));
  const stunned = bar("is-stunned", t("Stunned"));
  const blind = bar("is-blind", t("Blinded"));
  const zooms = [
    { symbol: "−", label: t("Smaller"), run: () => board.zoom(0.8) },
    { symbol: "+", label: t("Larger"), run: () => board.zoom(1.25) },
    { symbol: "⤢", label: t("Whole map"), run: () => board.fit() },
    { symbol: "?", label: t("Keys"), run: openHelp },
  ].map(({ symbol, label, run }) =>
    h("button.button.quiet.icon-only", { type: "button", title: label, "aria-label": label, onclick: run }, symbol),
  );
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
  let regions = false;
  let shownPhase = "";
  let lastCapture = -1;

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
    asked = true;
  }

  function marks() {
    const rules = legal.numbers();
    const allies = Object.values(game().allies ?? {}).flatMap((orders) => Object.values(orders));
    const under = [...Object.values(game().orders), ...allies].map(({ action, cells, what, due }) => ({
      cells,
      icon: action === "deploy" ? ["", "mine", "decoy", "flashbang"][what] : action === "bulldoze" ? "clear" : action,
      due,
      lasts: rules[`${action}_delay`] || 1000,
    }));
    const sieges = game().sieges.flatMap((/** @type {any} */ siege, /** @type {number} */ city) =>
      siege ? [{ cell: game().cities[city], by: siege[0], falls: siege[1], lasts: rules.siege_ms }] : [],
    );
    const rims = [
      ...Object.entries(game().protected ?? {}).map(([cell, until]) => ({ cell: Number(cell), until, smoke: false })),
      ...Object.entries(game().smoke ?? {}).map(([cell, until]) => ({ cell: Number(cell), until, smoke: true })),
    ].map((rim) => ({ ...rim, lasts: rim.smoke ? rules.smoke_ms : rules.protected_ms }));
    const setup = session.view.phase === "setup";
    const labels = game().cities.map((/** @type {number} */ cell, /** @type {number} */ city) => {
      const votes =
        game()
          .votes?.flat()
          .filter((/** @type {number} */ one) => one === city).length ?? 0;
      const mine = setup && game().vote.includes(city) ? " ✓" : "";
      const name = cityName(game(), city);
      return { cell, text: setup && votes ? `${name} (${votes})` : `${name}${mine}` };
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
  board.confirm = () => orders.fire();

  /** The first own city, else the middle of the map. */
  const home = () => game().cities[legal.ownCities()[0]] ?? topo.middle;

  startKeys({
    page,
    board,
    orders,
    topo,
    legal,
    go,
    alert: () => news.alert,
    toggleRegions() {
      regions = !regions;
      marks();
    },
    showForeign(on) {
      const { star_flashbangs: stars } = legal.numbers();
      const foreign = on ? foreignDigits(topo, game().tiles, game().empire, stars) : [];
      board.mark({ foreign });
      if (on && !foreign.length) announce(t("No land of others in sight."));
    },
    money() {
      const time = session.time();
      const all = legal.ownCities().map((city) => `${cityName(game(), city)}: ${amount(legal.money(city, time))}`);
      announce(all.join(", ") || t("You have no city left."));
    },
  });

  /** What changes with the phase: the whole map to vote, one's own corner to play. */
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
  }

  return {
    element,
    boards: [board],
    panel: ban.element,
    view() {
      draw();
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
        draw(lastCapture);
        lastCapture = -1;
        marks();
        phase();
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
      if (type === "done") news.given.delete(event.order);
      if (type === "began" || type === "over" || type === "started") draw();
      if (type === "began") (sound.play("start"), board.focus());
      marks();
      phase();
    },
    /** @param {any} refusal */
    refused({ action }) {
      const cells = action?.cells ?? (Number.isInteger(action?.cell) ? [action.cell] : []);
      orders.answered(cells);
      if (cells.length) board.effect("refuse", cells[0], { duration: 350 });
      sound.play("refuse");
    },
    tick() {
      const { phase: now } = session.view;
      const time = session.time();
      const fallen = game().watching || game().scores[game().empire - 1]?.[5] !== null;
      const out = session.seat !== null && fallen;
      board.enable(session.playing && !out);
      toggle(tools.element, session.playing && now === "live" && !out);
      ban.update();
      cards.update();
      const rules = legal.numbers();
      stunned.show(now === "live" ? game().stunned - time : 0, rules.stun_ms);
      blind.show(now === "live" ? game().blind - time : 0, rules.blind_ms);
      if (now !== "live" || !session.playing || out) return;
      const cell = board.state.hover >= 0 ? board.state.hover : board.state.cursorShown ? board.state.cursor : home();
      tools.prices((tool) => {
        const action = orders.actionOf(tool, tool.many && orders.chosen.length ? orders.chosen : [cell]);
        const price = legal.priceOf(action);
        const due = legal.cost(action);
        if (due && legal.purse(cell, time).there < due) return { price, code: "too_expensive" };
        return { price, code: null };
      });
      if (asked) {
        asked = false;
        orders.glow();
        orders.hover(board.state.hover);
        orders.show();
      }
    },
    clock() {
      const { phase: now, setup_ends: setupEnds } = session.view;
      if (now === "setup")
        return { text: countdownText(setupEnds - session.time()), label: t("To ban a city"), urgent: true };
      if (now === "over" || game().ends === null) return null;
      const left = game().ends - session.time();
      return { text: countdownText(left), label: t("Left"), urgent: left < URGENT };
    },
    counter() {
      if (!game().empire || session.view.phase !== "live") return null;
      const time = session.time();
      const all = legal.ownCities().reduce((sum, city) => sum + legal.money(city, time), 0);
      return { text: amount(all), label: t("Money") };
    },
    /** @param {number} seat */
    row(seat) {
      const empire = game().empires.findIndex((/** @type {number[]} */ seats) => seats.includes(seat));
      const [cities, tiles, kills, deaths, , out] = game().scores[empire] ?? [];
      const land = board.state.tiles.reduce((sum, code) => sum + Number(isLandKind(code)), 0);
      const fallen = out !== null && out !== undefined;
      const held = n("{n} tile", "{n} tiles", tiles ?? 0);
      const text = kills || deaths ? `${held}, ${kills} ⚔ ${deaths} ☠` : held;
      return {
        value: n("{n} city", "{n} cities", cities ?? 0),
        note: fallen ? { text: t("no city left"), kind: "bad" } : { text, kind: "" },
        share: Math.min(1, (tiles ?? 0) / Math.max(1, land)),
      };
    },
    facts() {
      if (session.seat === null || session.view.outcome.aborted) return [];
      const [cities, tiles, kills, deaths, captures] = game().scores[game().empire - 1];
      return [
        [t("Cities"), String(cities)],
        [t("Tiles"), String(tiles)],
        [t("Cities taken"), String(captures)],
        [t("Mines: others’ and own"), `${kills} / ${deaths}`],
      ];
    },
  };
}
