// After the end: who won and why, what it did to the ratings, and what next.

import { announce } from "site/announce.js";
import { h, icon, setText } from "site/dom.js";
import { errorText, t } from "site/i18n.js";

import { isJudged } from "../modes.js";
import { createRematch } from "./rematch.js";
import { place } from "./texts.js";

/** @import { Headline, MatchData, MatchView, Row, Session, Sound } from "games/match/types.d.ts" */

/** @typedef {ReturnType<typeof import("./texts.js").createTexts>} Texts */
/** @typedef {{ number: number, before: number | null, after: number | null }} RatedSeat how a rating changed */

/** @type {Record<string, string>} */
const ENDED = {
  declined: t("{name} does not want to play again."),
  left: t("{name} has left."),
  queued: t("{name} looks for another opponent."),
  busy: t("{name} is in another match."),
  timeout: t("No rematch: the time for the answer is over."),
};

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
      : { text: t("A draw"), kind: "none" };
  }
  const shared = outcome.ranks.filter((rank) => rank === outcome.ranks[seat]).length > 1;
  if (outcome.ranks[seat] === 1)
    return shared ? { text: t("A draw"), kind: "none" } : { text: t("You win!"), kind: "win" };
  return outcome.ranks.length > 2
    ? { text: t("{place} place", { place: place(outcome.ranks[seat]) }), kind: "loss" }
    : { text: t("{name} wins", { name: winners[0] }), kind: "loss" };
}

/** @param {Session} session */
function whoWasAbsent(session) {
  const { absent } = session.view.outcome;
  if (!absent?.length) return null;
  const names = absent.map(session.name).join(", ");
  return h("p.soft", {}, t("Not there: {names}. The match does not count.", { names }));
}

/**
 * The rating changes come with the archive, a moment after the end.
 * @param {string} url
 * @param {(seats: RatedSeat[]) => void} show
 */
async function ratings(url, show) {
  for (let wait = 300; wait < 8000; wait *= 1.7) {
    const answer = await fetch(url, { headers: { accept: "application/json" } }).catch(
      /** @returns {null} */ () => null,
    );
    const result = answer?.ok ? await answer.json() : null;
    if (result?.status && result.status !== "live") return show(result.seats);
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
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
 * Again, or not: the buttons that answer, and the way to somebody else.
 * @param {Session} session
 * @param {MatchData} data
 * @param {HTMLElement} note
 */
function whatNext(session, data, note) {
  const { view, seat } = session;
  const solo = view.seats.length === 1;
  const other = h("a.button", { href: data.urls.play }, solo ? t("New game") : t("New opponent"));
  if (seat === null || (view.outcome.aborted && !solo)) return [other];
  const rematch = createRematch({ match: data.match.id });
  const button = h(
    "button.button.primary",
    { type: "button", autofocus: true },
    icon("replay"),
    solo ? t("Play again") : t("Again"),
  );
  button.addEventListener("click", () => {
    button.disabled = true;
    button.setAttribute("aria-busy", "true");
    if (solo) return rematch.solo(view.mode, data.match.options);
    rematch.answer(true);
    setText(note, t("Waiting for the answer…"));
  });
  const decline = h("button.button", { type: "button", onclick: () => rematch.answer(false) }, t("Decline"));
  if (!solo) other.addEventListener("click", () => rematch.answer(false));
  rematch.on("state", ({ answers, ended, by }) => {
    const asking = answers.flatMap((yes, i) => (yes && i !== seat ? [session.name(i)] : []));
    if (ended) {
      button.disabled = decline.disabled = true;
      button.removeAttribute("aria-busy");
      setText(note, (ENDED[ended] ?? ENDED.timeout).replace("{name}", by ?? t("Somebody")));
    } else if (asking.length && !answers[seat]) {
      setText(note, t("{name} wants to play again!", { name: asking.join(", ") }));
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
 * A way to tell the moderators, of everybody but oneself and the house.
 * @param {Session} session
 * @param {MatchData} data
 */
function reports(session, data) {
  if (!data.user) return [];
  return data.players.flatMap((player, seat) => {
    if (seat === session.seat || !player.account || player.kind === "house") return [];
    const query = new URLSearchParams({ player: player.account, match: data.match.id });
    return [h("a", { href: `${data.urls.report}?${query}` }, t("Report {name}", { name: player.name }))];
  });
}

/**
 * The sheet with the result.
 * @param {Session} session
 * @param {MatchData} data
 * @param {{ mode: MatchView, texts: Texts, close: () => void, sound: Sound }} options
 */
export function resultSheet(session, data, { mode, texts, close, sound }) {
  const { text, kind } = headline(session, mode);
  const { view } = session;
  const reason = texts.reason(view.outcome);
  const facts = mode.facts?.() ?? [];
  const note = h("p.again-note", { role: "status" });
  const { table, changes } = standings(session, mode.row);
  const many = view.seats.length > 1 && !view.outcome.aborted;
  if (data.match.rated) ratings(data.urls.result, (seats) => showChanges(changes, seats));
  if (kind === "win") sound.play("win");
  else if (kind === "loss") sound.play("lose");
  announce(`${text} ${reason}`, "assertive");
  return h(
    `div.sheet.result.is-${kind}`,
    { role: "dialog", "aria-label": t("Result") },
    h(
      "button.button.quiet.icon-only.sheet-close",
      { type: "button", "aria-label": t("Look at the board"), title: t("Look at the board"), onclick: close },
      icon("close"),
    ),
    h("h2", {}, text),
    h("p.soft", {}, reason),
    whoWasAbsent(session),
    facts.length
      ? h(
          "dl.facts",
          {},
          facts.map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, value))),
        )
      : null,
    many ? table : null,
    h(
      "div.row.actions",
      {},
      whatNext(session, data, note),
      h("a.button.quiet", { href: data.urls.replay }, icon("history"), t("Replay")),
    ),
    note,
    isJudged(view.mode) && !view.outcome.aborted
      ? h(
          "p.soft.small-text",
          {},
          t("The replay judges every move: proven, a forced guess, or one that was not needed."),
        )
      : null,
    h("p.soft.small-text.reports", {}, reports(session, data)),
  );
}
