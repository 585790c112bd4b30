// The match page: assembles the parts, and lets the mode fill them.

import { announce } from "site/announce.js";
import { callBack } from "site/call.js";
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
import { createChatPlace } from "./chat.js";
import { createClaim } from "./claim.js";
import { createCover } from "./cover.js";
import { createFreeze } from "./freeze.js";
import { createHead } from "./head.js";
import { showKeys } from "./keys-help.js";
import { createNetwork } from "./network.js";
import { createNewGame } from "./new-game.js";
import { createNotices } from "./notices.js";
import { createPlayers } from "./players.js";
import { createReady } from "./ready.js";
import { resultSheet } from "./result.js";
import { retiredText } from "./retired.js";
import { createSeal } from "./seal.js";
import { createSession } from "./session.js";
import { createSettings } from "./settings.js";
import { createTexts } from "./texts.js";
import { createToolbar } from "./toolbar.js";

/** @import { NewMatch } from "games/match/new-game.js" */
/** @import { GameEvent, MatchData, MatchParts, MatchView, Page, Sound } from "games/match/types.d.ts" */
/** @import { Prefs } from "games/prefs.js" */

const TICK = 200;

/**
 * `parts`: the mode's modules match, fold and texts (modes.js); `kept`: the parts that the next match on the
 * same page reuses.
 * @param {HTMLElement} root
 * @param {MatchData} data
 * @param {MatchParts} parts
 * @param {{ prefs: Prefs, sound: Sound } | null} kept
 */
export function startMatch(root, data, parts, kept = null) {
  const ending = new AbortController(); // aborted when another match takes over the page
  const { signal } = ending;
  const link = createConnection(`/ws/match/${data.match.id}/`);
  const session = createSession(link, createFold(parts.fold?.fold));
  const prefs = kept?.prefs ?? loadPrefs(data.user?.preferences, data.user && saverTo(data.urls.choices, data.csrf));
  const sound = kept?.sound ?? createSound(prefs);
  const texts = createTexts(parts.texts, data.reasons);
  const cover = createCover();
  const notices = createNotices();
  const network = createNetwork(session, cover);
  const freeze = createFreeze();
  const seal = () => createSeal(session.view.commitment);
  const settings = createSettings(prefs, changed, {
    more: data.user && data.urls.settings,
    seal,
    keys: () => mode?.keys ?? null,
    uses: () => ({
      players: data.players.length > 1,
      flashes: Boolean(mode?.flashes),
      plays: session.seat !== null,
      minefield: mode?.boards.some(({ flags }) => flags) ?? false,
      holds: mode?.boards.some(({ flags, holds }) => flags || holds) ?? false,
    }),
  });
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
  const chat = createChatPlace(session, data, prefs, { root, after: notices.element, head: head.element, signal });
  /** @type {MatchView} */
  let mode; // built with the first view
  /** @type {ReturnType<typeof createReady>} */
  let ready; // built together with `mode`
  /** @type {ReturnType<typeof createNewGame> | null} */
  let newGame = null; // only in solo matches
  let ended = false;
  let alreadyOver = false; // the match was over before this page opened
  /** @type {{ of: string | null, clear: () => void }} The refusal on the page: its command, and how to remove it. */
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
    flash({ always = false } = {}) {
      if ((!prefs.flash && !always) || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
      stage.classList.remove("is-flashing");
      stage.dataset.flash = prefs.flash_colour;
      stage.style.setProperty("--flash-own", prefs.flash_own);
      void stage.offsetWidth; // restarts the animation
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
    ready = createReady(session, data, cover, sound);
    if (data.match.source === "solo" && session.seat !== null) {
      newGame = createNewGame(session, data, { mode, begin, signal });
      head.use(newGame.button);
    }
    stage.append(mode.element, freeze.element, cover.element);
    if (mode.panel) panel.append(mode.panel);
    players.build(mode);
    toolbar.use(mode.mainBoard ?? mode.boards[0] ?? null);
    toolbar.element.before(seal());
    noteSeal(data.match.id, session.view.commitment);
    root.replaceChildren(stage, side);
    root.dataset.mode = session.welcome.mode;
    root.setAttribute("aria-busy", "false");
  }

  /**
   * Start another match without reloading the page. Only the match id differs in the page's data.
   * @param {NewMatch} match
   */
  function begin({ id, url }) {
    ending.abort();
    link.leave();
    for (const board of mode.boards) board.destroy?.();
    root.dataset.match = id;
    history.replaceState(null, "", url);
    startMatch(root, JSON.parse(JSON.stringify(data).replaceAll(data.match.id, id)), parts, { prefs, sound });
  }

  function update() {
    if (!mode || !session.view) return;
    mode.tick();
    ready.update();
    head.update(mode);
    newGame?.update();
    callToTurn();
    players.update(mode.row);
    claim.update();
    toolbar.show();
    toggle(panel, mode.panel?.hidden === false);
    chat.update();
    root.dataset.phase = session.view.phase;
  }

  let turn = false; // whether it was this player's turn a moment ago
  let begun = false;

  /** Alert a player who isn't looking at the page, when the match begins and when it is their turn. */
  function callToTurn() {
    const { view, seat, playing } = session;
    if (seat === null || data.players.length === 1) return;
    const url = location.pathname;
    if (!begun && playing) callBack({ text: t("Your match is starting"), body: data.match.title, url, tag: url });
    begun = true;
    const now = playing && view.phase === "live" && Boolean(mode.row(seat).active);
    if (now && !turn) callBack({ text: t("Your turn"), body: data.match.title, url, tag: url });
    turn = now;
  }

  function showResult() {
    if (ended || newGame?.isAsked) return;
    ended = true;
    page.freeze(null);
    const sheet = resultSheet(session, data, { mode, texts, stage, sound, again: newGame?.start });
    // Beside the board, never over it, and after a moment to see the final position.
    const show = () => {
      root.classList.add("has-result");
      head.clocks.after(sheet);
      // Where cells were kept large for fingers, there is now less room and nothing left to tap.
      if (matchMedia("(pointer: coarse)").matches) for (const board of mode.boards) board.overview?.();
      /** @type {HTMLElement | null} */ (sheet.querySelector("[autofocus]"))?.focus({ preventScroll: true });
    };
    const timer = setTimeout(show, alreadyOver ? 0 : 900);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      sheet.remove();
      root.classList.remove("has-result");
    });
  }

  /** Focus the board so that its keys work right away, unless something else has the focus. */
  function focusBoard() {
    const chosen = document.activeElement;
    if (chosen && chosen !== document.body && !cover.element.contains(chosen)) return;
    (mode.mainBoard ?? mode.boards[0])?.focus?.();
  }

  addEventListener("keydown", (event) => {
    if (event.key !== "?" || event.ctrlKey || event.altKey || event.metaKey || !mode) return;
    const field = /** @type {HTMLElement | null} */ (event.target)?.closest?.("input, textarea, select");
    // A mode with its own keys explains them itself.
    if (field || event.defaultPrevented || mode.keys) return;
    event.preventDefault();
    showKeys({ minefield: mode.boards.some(({ flags }) => flags), zooms: mode.boards.some(({ zooms }) => zooms) });
  });

  session.on("view", (view) => {
    alreadyOver = view.phase === "over";
    const first = !mode;
    if (first) build();
    mode.view();
    if (first && view.phase === "live" && session.playing) focusBoard();
    if (view.phase === "over") showResult();
  });
  session.on("event", ({ event }) => {
    if (event.turn !== undefined || event.type === "over") refusals.clear();
    mode.event(event);
    if (event.type === "started" && session.playing) focusBoard();
    tell(event);
    if (event.type === "over") showResult();
  });
  session.on("refused", refuse);
  // An accepted command clears the last refusal, but not its own: the match may refuse an acknowledged
  // command.
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

  // Update once for all messages that arrive together.
  let asked = false;
  session.on("change", () => {
    if (asked) return;
    asked = true;
    queueMicrotask(() => ((asked = false), update()));
  });

  /** @param {GameEvent} event */
  function tell(event) {
    const name = event.seat === undefined ? "" : session.name(event.seat);
    if (event.type === "retired")
      return notices.say(retiredText(session, event), { kind: "warn", now: event.seat === session.seat });
    if (event.seat === session.seat) return;
    if (event.type === "dropped") notices.say(t("{name} lost the connection.", { name }), { kind: "warn" });
    else if (event.type === "left") notices.say(t("{name} left the page.", { name }), { kind: "warn" });
    else if (event.type === "returned") notices.say(t("{name} is back.", { name }), { kind: "good" });
    else if (event.type === "ready") announce(t("{name} is ready.", { name }));
  }

  const endings = [watchTheme(() => session.welcome && (players.build(), update()))];
  const ticking = setInterval(update, TICK);
  endings.push(() => clearInterval(ticking));
  signal.addEventListener("abort", () => endings.forEach((end) => end()));
  addEventListener(
    "beforeunload",
    (event) => {
      const rated = data.match.rated && session.playing && session.view.phase === "live";
      if (rated) event.preventDefault();
    },
    { signal },
  );
  link.start();
  setText(root.querySelector("[data-waiting]") ?? h("i"), t("Connecting…"));
  return page;
}
