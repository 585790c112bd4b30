// The match page: puts the parts together, and lets the mode fill them.

import { announce } from "site/announce.js";
import { h, setText, toggle } from "site/dom.js";
import { t } from "site/i18n.js";
import { toast } from "site/toast.js";

import { watchTheme } from "../board/colours.js";
import { createFold } from "../fold/fold.js";
import { hasPart } from "../modes.js";
import { createConnection } from "../net/connection.js";
import { loadPrefs, saverTo } from "../prefs.js";
import { noteSeal } from "../seals.js";
import { createSound } from "../sound/sound.js";
import { createBoardless } from "./boardless.js";
import { createClaim } from "./claim.js";
import { createCover } from "./cover.js";
import { createFreeze } from "./freeze.js";
import { createHead } from "./head.js";
import { createNetwork } from "./network.js";
import { createNotices } from "./notices.js";
import { createPlayers } from "./players.js";
import { resultSheet } from "./result.js";
import { createSeal } from "./seal.js";
import { createSession } from "./session.js";
import { createSettings } from "./settings.js";
import { createTexts } from "./texts.js";
import { createToolbar } from "./toolbar.js";

/** @import { GameEvent, MatchData, MatchParts, MatchView, Page } from "games/match/types.d.ts" */
/** @import { Prefs } from "games/prefs.js" */

const TICK = 200;

/**
 * `parts`: the mode's modules match, fold and texts (modes.js).
 * @param {HTMLElement} root
 * @param {MatchData} data
 * @param {MatchParts} parts
 */
export function startMatch(root, data, parts) {
  const link = createConnection(`/ws/match/${data.match.id}/`);
  const session = createSession(link, createFold(parts.fold?.fold));
  const prefs = loadPrefs(data.user?.preferences, data.user && saverTo(data.urls.choices, data.csrf));
  const sound = createSound(prefs);
  const texts = createTexts(parts.texts, data.reasons);
  const cover = createCover();
  const notices = createNotices();
  const network = createNetwork(session, cover);
  const freeze = createFreeze();
  const seal = () => createSeal(session.view.commitment);
  const settings = createSettings(prefs, changed, { more: data.user && data.urls.settings, seal });
  const toolbar = createToolbar(session, prefs, { settings, sound });
  const players = createPlayers(session, prefs, data);
  const head = createHead(session, data, network.element);
  const claim = createClaim(session);
  const stage = h("div.match-stage", {}, network.away);
  const panel = h("div.match-panel");
  const side = h(
    "aside.match-side",
    { "aria-label": t("The match") },
    head.element,
    head.clocks,
    players.element,
    claim.element,
    panel,
    notices.element,
    toolbar.element,
  );
  /** @type {MatchView} */
  let mode; // made with the first view
  let ended = false;
  let alreadyOver = false; // when this page came
  /** @type {{ of: string | null, clear: () => void }} The refusal that is shown: of which command, how to remove it. */
  const refusals = { of: null, clear: () => {} };

  /** @type {Page} */
  const page = {
    session,
    prefs,
    sound,
    notices,
    data,
    freeze: freeze.show,
    refuse,
    /** The whole board lights up, for those who want that. */
    flash() {
      if (!prefs.flash || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
      stage.classList.remove("is-flashing");
      stage.dataset.flash = prefs.flash_colour;
      stage.style.setProperty("--flash-own", prefs.flash_own);
      void stage.offsetWidth; // starts the animation anew
      stage.classList.add("is-flashing");
    },
  };

  /** @param {keyof Prefs} name */
  function changed(name) {
    if (name === "palette" || name === "patterns") {
      players.build();
      for (const board of mode?.boards ?? []) board.restyle();
    }
    toolbar.show();
    update();
  }

  function build() {
    // The generic board draws the common format; a view without it has no board in the browser.
    const drawn = hasPart(data.match.mode, "match") || session.view.game.board;
    mode = drawn && parts.match ? parts.match.create(page) : createBoardless(page);
    stage.append(mode.element, freeze.element, cover.element);
    if (mode.panel) panel.append(mode.panel);
    players.build();
    toolbar.use(mode.mainBoard ?? mode.boards[0] ?? null);
    toolbar.element.before(seal());
    noteSeal(data.match.id, session.view.commitment);
    root.replaceChildren(stage, side);
    root.dataset.mode = session.welcome.mode;
    root.setAttribute("aria-busy", "false");
  }

  function update() {
    if (!mode || !session.view) return;
    mode.tick();
    head.update(mode);
    players.update(mode.row);
    claim.update();
    toolbar.show();
    toggle(panel, mode.panel?.hidden === false);
    root.dataset.phase = session.view.phase;
  }

  function showResult() {
    if (ended) return;
    ended = true;
    page.freeze(null);
    /** @type {HTMLElement} */
    const reopen = h(
      "button.button.primary.small.reopen",
      { type: "button", onclick: open, hidden: true },
      t("Result"),
    );
    function open() {
      cover.put("result", sheet);
      reopen.hidden = true;
    }
    const close = () => {
      cover.hide("result");
      reopen.hidden = false;
    };
    const sheet = resultSheet(session, data, { mode, texts, close, sound });
    side.append(reopen);
    // A moment to see how it ended.
    setTimeout(() => cover.put("result", sheet), alreadyOver ? 0 : 900);
  }

  session.on("view", (view) => {
    alreadyOver = view.phase === "over";
    if (!mode) build();
    mode.view();
    if (view.phase === "over") showResult();
  });
  session.on("event", ({ event }) => {
    if (event.turn !== undefined || event.type === "over") refusals.clear();
    mode.event(event);
    tell(event);
    if (event.type === "over") showResult();
  });
  session.on("refused", refuse);
  // An accepted action makes the last refusal old news. The match may refuse what was acknowledged.
  session.on("acked", ({ id }) => refusals.of !== id && refusals.clear());
  /** @param {import("../net/types.d.ts").Refusal} refusal */
  function refuse(refusal) {
    const contested = mode.explain?.(refusal);
    mode.refused(refusal);
    if (texts.isQuiet(refusal)) return;
    const text = contested ?? session.named(texts.refusal(refusal));
    refusals.clear();
    refusals.clear = notices.say(text, { kind: "warn" });
    refusals.of = refusal.id ?? null;
    if (refusal.code === "rate_limited") toast(text);
  }

  // Once for all messages that came together.
  let asked = false;
  session.on("change", () => {
    if (asked) return;
    asked = true;
    queueMicrotask(() => ((asked = false), update()));
  });

  /** @param {GameEvent} event */
  function tell(event) {
    const name = event.seat === undefined ? "" : session.name(event.seat);
    if (event.seat === session.seat) return;
    if (event.type === "dropped") notices.say(t("{name} lost the connection.", { name }), { kind: "warn" });
    else if (event.type === "left") notices.say(t("{name} went away.", { name }), { kind: "warn" });
    else if (event.type === "returned") notices.say(t("{name} is back.", { name }), { kind: "good" });
    else if (event.type === "retired") notices.say(t("{name} is out.", { name }), { kind: "warn" });
    else if (event.type === "ready") announce(t("{name} is ready.", { name }));
  }

  watchTheme(() => session.welcome && (players.build(), update()));
  setInterval(update, TICK);
  addEventListener("beforeunload", (event) => {
    const rated = data.match.rated && session.playing && session.view.phase === "live";
    if (rated) event.preventDefault();
  });
  link.start();
  setText(root.querySelector("[data-waiting]") ?? h("i"), t("Connecting…"));
  return page;
}
