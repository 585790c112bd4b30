import { h } from "site/dom.js";
import { n, t } from "site/i18n.js";

import { createField } from "games/match/field.js";
import { countdownText, secondsLeft } from "games/match/time.js";
import { picture } from "./picture.js";
import { createStages, STAGE_NAMES, STAGE_RULES } from "./stages.js";
import { createStarts } from "./starts.js";

/** @import { Game, Truth } from "./types.d.ts" */
/** @import { MatchView, Page } from "games/match/types.d.ts" */

const CALL_MS = 3_400; // as long as its animation in style.css

/** @param {number} share */
const thousandths = (share) => Math.floor(share * 1000) / 10;

/** @param {Page<Game, Truth>} page @returns {MatchView} */
export function create(page) {
  const { session, notices, sound } = page;
  const field = createField(page, { open: "claim", label: t("The field"), picture });
  const { board } = field;
  const starts = createStarts(page, board);
  const stages = createStages(session);
  const heading = h("div.stage-call", { hidden: true, "aria-hidden": "true" });
  let called = 0;
  const element = h("div.stage-holder", {}, field.element, heading);
  const game = () => session.view.game;
  const frozen = () => game().frozen[session.seat ?? -1] ?? null;

  field.intercept = (kind, cell) => {
    if (session.view.phase !== "setup") return false;
    starts.pick(cell);
    return true;
  };

  /** @param {number} stage */
  function call(stage) {
    heading.replaceChildren(h("b", {}, STAGE_NAMES[stage]), h("span", {}, STAGE_RULES[stage]));
    heading.hidden = false;
    heading.classList.remove("is-new");
    void heading.offsetWidth; // restarts the animation
    heading.classList.add("is-new");
    clearTimeout(called);
    called = setTimeout(() => (heading.hidden = true), CALL_MS);
    sound.play("stage");
    notices.say(`${STAGE_NAMES[stage]}: ${STAGE_RULES[stage]}`, { kind: "good", now: true });
  }

  /** Frame the mine of each frozen player in that player's colour. */
  function frames() {
    const live = session.view.phase === "live" ? game().frozen : [];
    const found = live.flatMap((freeze, seat) => (freeze ? [{ cell: freeze.cell, seat }] : []));
    if (JSON.stringify(found) !== JSON.stringify(board.state.marks.frames ?? [])) board.mark({ frames: found });
  }

  /** @type {Record<string, (event: any) => void>} Each event's effects besides the new picture. */
  const on = {
    picked: () => starts.update(),
    claimed({ seat, cells }) {
      if (seat === session.seat) {
        if (game().areas[seat] === cells.length) board.closeUp(cells[0]);
        return field.opened(cells, "claim");
      }
      field.draw({ wave: "claim", origin: cells[0] });
    },
    struck({ seat, cell, until }) {
      field.draw();
      board.effect("burst", cell, { duration: 700 });
      const mine = seat === session.seat;
      const name = session.name(seat);
      if (mine) (sound.play("mine"), page.flash());
      if (until === null)
        notices.say(mine ? t("A mine! It reset the land around it.") : t("{name} hit a mine.", { name }), {
          kind: mine ? "bad" : "",
        });
      else {
        const seconds = secondsLeft(until - session.time());
        notices.say(
          mine
            ? t("A mine! You’re frozen for {seconds} s.", { seconds })
            : t("{name} hit a mine and is frozen.", { name }),
          { kind: mine ? "bad" : "", now: mine },
        );
      }
    },
    regenerated({ cell, cells }) {
      field.draw({ wave: "close", origin: cell });
      sound.play("regenerate");
      notices.say(n("{n} cell was reset.", "{n} cells were reset.", cells.length));
    },
    thawed: () => field.draw(),
    caught_up({ cells, strikes }) {
      field.draw({ wave: "claim", origin: cells[0] ?? 0 });
      sound.play("thaw");
      const text = n(
        "You’re back. {n} cell changed in the meantime.",
        "You’re back. {n} cells changed in the meantime.",
        cells.length,
      );
      notices.say(text, { kind: "good", now: true });
      for (const { seat } of strikes)
        notices.say(t("{name} hit a mine in the meantime.", { name: session.name(seat) }));
    },
    stage({ stage }) {
      starts.update();
      if (stage === 1) (board.focus(), sound.play("start"));
      call(stage);
    },
    over: () => field.draw({ wave: "open" }),
  };

  return {
    element,
    boards: [board],
    panel: starts.element,
    get stages() {
      return session.view.phase === "setup" ? null : stages.element;
    },
    view() {
      field.draw();
      if (session.view.phase === "setup") board.overview();
      starts.update();
    },
    event: (event) => (on[event.type] ? on[event.type](event) : (field.draw(), starts.update())),
    refused(refusal) {
      if (refusal.action?.type === "pick" || refusal.action?.type === "confirm") starts.refused();
      field.refused(refusal);
    },
    /** Explains a contested claim. */
    explain({ code, action }) {
      const { cell = -1 } = action ?? {};
      if (code !== "taken" || cell < 0) return null;
      const owner = board.state.wanted.owners[cell];
      if (owner > 3 || !field.wasFaster(cell)) return null;
      return t("{name} got there first.", { name: session.name(owner) });
    },
    tick() {
      starts.update();
      stages.update();
      frames();
      const freeze = session.view.phase === "live" ? frozen() : null;
      const left = freeze ? freeze.until - session.time() : 0;
      const { phase, seats } = session.view;
      const confirmed = phase === "setup" && seats[session.seat ?? -1]?.ready;
      board.enable(session.playing && !freeze && !confirmed);
      page.freeze(freeze ? { text: t("Frozen"), left, ice: true } : null);
    },
    flashes: true,
    clock() {
      const { phase, setup_ends } = session.view;
      if (phase === "setup")
        return { text: countdownText(setup_ends - session.time()), label: t("Time to pick"), urgent: true };
      if (phase === "over") return null;
      const left = game().ends - session.time();
      return { text: countdownText(left), label: t("Time left"), urgent: left < 30_000 };
    },
    row(seat) {
      const { areas, struck, cells, frozen: all } = game();
      const safe = Math.max(1, Math.round(cells.length * (1 - session.view.options.density)));
      const share = areas[seat] / safe;
      let note = struck[seat] ? { text: n("{n} mine hit", "{n} mines hit", struck[seat]), kind: "" } : null;
      if (all[seat] && session.view.phase === "live")
        note = { text: t("frozen {left}s", { left: secondsLeft(all[seat].until - session.time()) }), kind: "info" };
      return { value: String(areas[seat]), share: Math.min(1, thousandths(share) / 100), note };
    },
    facts() {
      if (session.seat === null || session.view.outcome.aborted) return [];
      return [
        [t("Your area"), String(game().areas[session.seat])],
        [t("Mines hit"), String(game().struck[session.seat])],
      ];
    },
  };
}
