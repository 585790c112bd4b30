// The result after a match: the winner and the reason, the rating changes, and what to do next.

import { announce } from "site/announce.js";
import { h, icon, setText } from "site/dom.js";
import { errorText, listed, n, t } from "site/i18n.js";

import { goTo, lobby } from "../lobby/shared.js";
import { isJudged } from "../modes.js";
import { opponents } from "./opponents.js";
import { createRematch } from "./rematch.js";
import { shareButtons } from "./share.js";
import { place } from "./texts.js";
import { clockText } from "./time.js";

/** @import { Headline, MatchData, MatchView, Row, Session, Sound } from "games/match/types.d.ts" */

/** @typedef {ReturnType<typeof import("./texts.js").createTexts>} Texts */
/** @typedef {{ number: number, before: number | null, after: number | null }} RatedSeat a seat's rating change */
/** @typedef {{ best: boolean, before_ms: number | null, held: boolean, speed: number }} Figures of a solo game */
/**
 * @typedef {{
 *   status: string,
 *   seats: RatedSeat[],
 *   figures?: Figures | null,
 *   accuracy?: Record<string, number>,
 *   waiting?: boolean,
 * }} Result what the archive knows of the match
 */

/** @type {Record<string, string>} */
const ENDED = {
  declined: t("{name} declined the rematch."),
  left: t("{name} has left."),
  queued: t("{name} is looking for another opponent."),
  busy: t("{name} is in another match."),
  timeout: t("No rematch: nobody answered in time."),
};

/** @type {Record<string, string>} The same texts for the player who ended it. */
const ENDED_BY_YOU = {
  declined: t("You declined the rematch."),
  left: t("You left, so there’s no rematch."),
  queued: t("You’re looking for another opponent."),
  busy: t("You’re in another match."),
  timeout: t("You didn’t answer in time."),
};

const ACCOUNT_TOLD = "account-told";

/** @param {Session} session @param {MatchView} mode @returns {Headline} */
function headline(session, mode) {
  const { view, seat } = session;
  const { outcome } = view;
  if (outcome.aborted) return { text: t("No result"), kind: "none" };
  if (mode.headline) return mode.headline(view);
  const winners = outcome.ranks.flatMap((rank, i) => (rank === 1 ? [session.name(i)] : []));
  if (seat === null) {
    return winners.length === 1
      ? { text: t("{name} wins", { name: winners[0] }), kind: "none" }
      : { text: t("Draw"), kind: "none" };
  }
  const shared = outcome.ranks.filter((rank) => rank === outcome.ranks[seat]).length > 1;
  if (outcome.ranks[seat] === 1)
    return shared ? { text: t("Draw"), kind: "none" } : { text: t("You win!"), kind: "win" };
  return outcome.ranks.length > 2
    ? { text: t("{place} place", { place: place(outcome.ranks[seat]) }), kind: "loss" }
    : { text: t("{name} wins", { name: winners[0] }), kind: "loss" };
}

/** @param {Session} session */
function whoWasAbsent(session) {
  const { absent, reason } = session.view.outcome;
  if (!absent?.length) return null;
  const others = absent.filter((seat) => seat !== session.seat);
  const names = listed(others.map(session.name));
  // English uses the same form for singular and plural; other languages don't.
  const who = others.length
    ? n("{names} didn’t show up.", "{names} didn’t show up.", others.length, { names })
    : t("You weren’t ready in time.");
  return h("p.soft", {}, [reason === "not_ready" ? `${who} ` : "", t("The match doesn’t count.")]);
}

const LATE = 10_000; // ms: by then the match is archived, even if the server's message got lost

/** Milliseconds between requests for the accuracy, which is analysed after the end. */
const PAUSES = [2000, 4000, 8000, 15_000, 30_000];

/** @param {string} url @returns {Promise<Result | null>} null: not there yet, or the network failed */
async function fetchResult(url) {
  const answer = await fetch(url, { headers: { accept: "application/json" } }).catch(/** @returns {null} */ () => null);
  const result = answer?.ok ? await answer.json() : null;
  return result?.status && result.status !== "live" ? result : null;
}

/**
 * Fetch the result, which comes with the archive a moment after the end; the server says when.
 * @param {Session} session
 * @param {string} url
 * @param {(result: Result) => void} show
 */
function whenArchived(session, url, show) {
  let shown = false;
  async function ask() {
    if (shown) return;
    const result = await fetchResult(url);
    if (shown || !result) return;
    shown = true;
    show(result);
  }
  session.on("archived", ask);
  ask(); // the page may have been opened after the end
  setTimeout(ask, LATE);
}

/**
 * Say whether a solo game is the player's best, and show its 3BV/s.
 * @param {Session} session
 * @param {Figures} figures
 * @param {HTMLElement} line
 */
function celebrate(session, { best, before_ms: before, held }, line) {
  if (session.seat === null) return;
  const text = h("span");
  if (best) {
    text.append(h("b", {}, t("Personal best!")));
    if (before !== null)
      text.append(" ", t("Your best time was {time} before.", { time: clockText(before, { exact: true }) }));
    line.classList.add("good");
  } else if (held) text.append(t("A moderator reviews this result before it counts."));
  else return;
  line.append(icon(best ? "trophy" : "info"), text);
  line.hidden = false;
  announce(line.textContent);
}

/**
 * Show the accuracy of the player's moves as soon as the match is analysed.
 * @param {Session} session
 * @param {string} url
 * @param {Result} result
 * @param {HTMLElement} line
 */
async function showAccuracy(session, url, result, line) {
  let found = result;
  for (const pause of PAUSES) {
    if (!found.waiting || !line.isConnected) break;
    await new Promise((resolve) => setTimeout(resolve, pause));
    found = (await fetchResult(url)) ?? found;
  }
  const percent = session.seat === null ? undefined : found.accuracy?.[session.seat];
  if (percent === undefined) return;
  line.textContent = t("Accuracy: {percent} %", { percent: percent.toFixed(1) });
  line.hidden = false;
}

/** @param {Session} session @param {(seat: number) => Row} describe */
function standings(session, describe) {
  const { view } = session;
  const order = view.seats
    .map((_, seat) => seat)
    .sort((a, b) => (view.outcome.ranks[a] ?? 9) - (view.outcome.ranks[b] ?? 9));
  /** @type {HTMLElement[]} */
  const changes = [];
  const rows = order.map((seat) => {
    changes[seat] = h("td.number.rating-change");
    return h(
      `tr${seat === session.seat ? ".mine-own" : ""}`,
      {},
      h("td", {}, place(view.outcome.ranks[seat])),
      h("td", {}, session.name(seat)),
      h("td.number", {}, describe(seat).value ?? ""),
      changes[seat],
    );
  });
  return { table: h("table.standings", {}, h("tbody", {}, rows)), changes };
}

/** @param {HTMLElement[]} changes @param {RatedSeat[]} seats */
function showChanges(changes, seats) {
  for (const { number, before, after } of seats) {
    if (after === null || before === null || !changes[number]) continue;
    const change = Math.round(after) - Math.round(before);
    changes[number].append(
      `${Math.round(after)} `,
      h(`b.${change >= 0 ? "rose" : "fell"}`, {}, `${change >= 0 ? "+" : "−"}${Math.abs(change)}`),
    );
  }
}

/**
 * The buttons to accept or decline a rematch, and to find another opponent.
 * @param {Session} session
 * @param {MatchData} data
 * @param {HTMLElement} note
 * @param {(() => void) | undefined} again starts another solo match
 */
function whatNext(session, data, note, again) {
  const { view, seat } = session;
  const solo = view.seats.length === 1;
  // Everybody plays the same daily board, and there is no other until tomorrow.
  if (data.urls.daily) return [h("a.button.primary", { href: data.urls.daily }, t("How the others did"))];
  // The next opponent is the tournament's to choose; its match opens by itself.
  if (data.urls.tournament)
    return [h("a.button.primary", { href: data.urls.tournament, autofocus: true }, t("Back to the tournament"))];
  const other = h("a.button", { href: data.urls.play }, solo ? t("New game") : t("Find new opponent"));
  // Queue for the same kind of match with another opponent, then show the play page, which finds us in the
  // queue.
  const seekOther = (/** @type {MouseEvent} */ event) => {
    event.preventDefault();
    const socket = lobby();
    const go = () => goTo(data.urls.play);
    socket.on("queued", go);
    socket.on("error", (message) => message.for === "queue" && go());
    socket.send({ type: "queue", wishes: [data.wish] });
  };
  if (seat !== null && data.wish) other.addEventListener("click", seekOther);
  if (seat === null || (view.outcome.aborted && !solo) || (solo && !again)) return [other];
  const rematch = createRematch({ match: data.match.id });
  const button = h(
    "button.button.primary",
    { type: "button", autofocus: true },
    icon("replay"),
    solo ? t("Play again") : t("Again"),
  );
  button.addEventListener("click", () => {
    if (solo) return again?.();
    button.disabled = true;
    button.setAttribute("aria-busy", "true");
    rematch.answer(true);
    setText(note, t("Waiting for the answer…"));
  });
  const decline = h(
    "button.button",
    { type: "button", hidden: true, onclick: () => rematch.answer(false) },
    t("Decline"),
  );
  rematch.on("state", ({ answers, ended, by }) => {
    const asking = answers.flatMap((yes, i) => (yes && i !== seat ? [session.name(i)] : []));
    if (ended) {
      button.disabled = decline.hidden = true;
      button.removeAttribute("aria-busy");
      const texts = by === session.name(seat) ? ENDED_BY_YOU : ENDED;
      setText(note, (texts[ended] ?? texts.timeout).replace("{name}", by ?? t("Somebody")));
    } else if (asking.length && !answers[seat]) {
      setText(
        note,
        n("{name} wants to play again!", "{name} want to play again!", asking.length, { name: listed(asking) }),
      );
      // House bots always want a rematch, so there is no one to decline.
      decline.hidden = data.players.every(({ kind }, i) => i === seat || !answers[i] || kind === "house");
    }
    announce(note.textContent);
  });
  rematch.on("failed", (error) => {
    button.removeAttribute("aria-busy");
    button.disabled = !solo;
    setText(note, errorText(error));
  });
  return solo ? [button, other] : [button, decline, other];
}

/**
 * Tell a guest once about the benefits of an account.
 * @param {Session} session
 * @param {MatchData} data
 */
function accountHint(session, data) {
  if (data.user?.kind !== "guest" || session.seat === null || localStorage.getItem(ACCOUNT_TOLD)) return null;
  localStorage.setItem(ACCOUNT_TOLD, "1");
  return h(
    "p.notice",
    {},
    h(
      "span",
      {},
      t("With an account, you keep your name and matches and can play for a rating."),
      " ",
      h("a", { href: data.urls.signup }, t("Create account")),
    ),
  );
}

/**
 * The texts for a picture of the result.
 * @param {Session} session
 * @param {string} text
 * @param {[string, string][]} facts
 * @param {MatchView} mode
 */
function shared(session, text, facts, mode) {
  const many = session.view.seats.length > 1;
  const lines = many
    ? session.view.seats.map((_, seat) => `${session.name(seat)} ${mode.row(seat).value ?? ""}`)
    : facts.map(([name, value]) => `${name}: ${value}`);
  return { title: document.title.split(/[:·]/)[0].trim(), text, lines };
}

/**
 * The sheet with the result.
 * @param {Session} session
 * @param {MatchData} data
 * @param {{ mode: MatchView, texts: Texts, stage: HTMLElement, sound: Sound, again?: () => void }} options
 */
export function resultSheet(session, data, { mode, texts, stage, sound, again }) {
  const { text, kind } = headline(session, mode);
  const { view } = session;
  const reason = mode.reason?.() ?? texts.whoStopped(session) ?? texts.reason(view.outcome);
  const facts = mode.facts?.() ?? [];
  const note = h("p.again-note", { role: "status" });
  // Others may still play this board.
  const isSecret = Boolean(data.urls.daily) || data.match.source === "sealed";
  const { table, changes } = standings(session, mode.row);
  const many = view.seats.length > 1 && !view.outcome.aborted;
  const best = h("p.notice.best-result", { hidden: true });
  const accuracy = h("p.soft.accuracy-result", { hidden: true });
  const judged = isJudged(view.mode) && !view.outcome.aborted;
  if (data.match.rated || judged)
    whenArchived(session, data.urls.result, (result) => {
      if (data.match.rated) showChanges(changes, result.seats);
      if (result.figures) celebrate(session, result.figures, best);
      showAccuracy(session, data.urls.result, result, accuracy);
    });
  if (kind === "win") sound.play("win");
  else if (kind === "loss") sound.play("lose");
  announce(`${text} ${reason}`, "assertive");
  return h(
    `div.sheet.result.is-${kind}`,
    { role: "dialog", "aria-label": t("Result") },
    h("h2", {}, text),
    h("p.soft", {}, reason),
    whoWasAbsent(session),
    best,
    facts.length
      ? h(
          "dl.facts",
          {},
          facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
        )
      : null,
    many ? table : null,
    accuracy,
    h(
      "div.row.actions",
      {},
      whatNext(session, data, note, again),
      isSecret ? null : h("a.button.quiet", { href: data.urls.replay }, icon("history"), t("Replay")),
    ),
    note,
    accountHint(session, data),
    opponents(session, data),
    h(
      "div.row.sharing",
      {},
      shareButtons({ url: data.urls.replay, stage, result: shared(session, text, facts, mode) }),
    ),
    judged && !isSecret
      ? h(
          "p.soft.small-text",
          {},
          t("The replay rates every move: proven safe, a forced guess or an unnecessary guess."),
        )
      : null,
  );
}
