// A tournament's page: live standings, the clock, the leaders' matches.

import { announce } from "site/announce.js";
import { find, h, icon, pageData, setText, toggle } from "site/dom.js";
import { t } from "site/i18n.js";

import { lobby } from "games/lobby/shared.js";
import { loadPrefs } from "games/prefs.js";

import { applied, countdown, halves, quarters, timeText } from "./picture.js";
import { showTimes } from "./times.js";

/** @import { Change, LeaderMatch, Picture, Row } from "lobby/tournaments/types.d.ts" */

const data = pageData();
/** @type {{ kind: string, metric: string, me: number | null, shown: number }} */
const { kind, metric, me, shown } = data;
/** @type {Picture} */
let picture = data.picture;
const offset = data.now - Date.now();
let first = 0; // the first row on this page of the standings

/** @type {Record<string, string>} */
const BADGES = { bot: t("bot"), house: t("bot") };

/** @param {Row} row */
function nameCell(row) {
  return h(
    "td",
    {},
    h(
      "span.standing-name",
      {},
      row.name === "deleted" ? row.name : h("a.lone", { href: `/@${encodeURIComponent(row.name)}/` }, row.name),
      h("span.soft.small-text", {}, String(row.rating)),
      row.kind in BADGES ? h("span.badge", {}, BADGES[row.kind]) : null,
      row.state === "paused" ? h("span.badge.warn", {}, t("paused")) : null,
      row.state === "withdrawn" ? h("span.badge", {}, t("withdrawn")) : null,
      row.match && picture.status === "running"
        ? h("a.badge.live", { href: `/match/${row.match}/` }, t("playing"))
        : null,
    ),
  );
}

/** @param {Row} row */
function resultCells(row) {
  if (kind === "arena") {
    const games = row.sheet.map((points) => h(`span.sheet-${points > 2 ? "streak" : points}`, {}, String(points)));
    const fire = row.streak ? h("span.on-streak", { title: t("On a streak") }, icon("bolt")) : null;
    return [h("td.sheet", {}, games), h("td.number.score", {}, fire, h("b", {}, String(row.score)))];
  }
  if (kind === "swiss") {
    return [
      h(
        "td.sheet",
        {},
        row.marks.map((mark) => h(`span.mark${mark === "1" || mark === "+" ? ".won" : ""}`, {}, mark)),
      ),
      h("td.number.score", {}, h("b", {}, halves(row.score))),
      h("td.number", {}, halves(row.ties[0])),
      h("td.number", {}, quarters(row.ties[1])),
    ];
  }
  const value = row.value ?? null;
  const text = metric === "speed" ? ((value ?? 0) / 1000).toFixed(3) : timeText(value ?? 0);
  return [h("td.number", {}, String(row.games)), h("td.number.score", {}, value === null ? "–" : h("b", {}, text))];
}

function showStandings() {
  const { rows } = picture;
  first = Math.max(0, Math.min(first, Math.floor(Math.max(0, rows.length - 1) / shown) * shown));
  const page = rows.slice(first, first + shown);
  find("#standings").replaceChildren(
    ...page.map((row) =>
      h(
        `tr${row.id === me ? ".mine-own" : ""}${row.state === "active" ? "" : ".is-away"}`,
        {},
        h("td.number", {}, String(row.rank)),
        nameCell(row),
        resultCells(row),
      ),
    ),
  );
  toggle(find("#standings-empty"), rows.length === 0);
  toggle(find("#standings-pager"), rows.length > shown);
  setText(find("#standings-place"), `${first + 1}–${first + page.length} / ${rows.length}`);
  find("#standings-before").toggleAttribute("disabled", first === 0);
  find("#standings-after").toggleAttribute("disabled", first + shown >= rows.length);
  toggle(
    find("#standings-mine"),
    rows.some(({ id }) => id === me),
  );
}

/** @param {LeaderMatch} match */
const matchRow = ({ url, players }) =>
  h(
    "li",
    {},
    h(
      "a.live-match",
      { href: url },
      h(
        "span.live-players",
        {},
        players.flatMap(({ name, rank }, seat) => [
          seat ? h("i", {}, t("against")) : null,
          h(`b.seat-name.seat-${seat + 1}`, {}, name),
          h("span.soft.small-text", {}, `#${rank}`),
        ]),
      ),
    ),
  );

function showMatches() {
  const section = document.getElementById("leaders");
  if (!section) return;
  const live = picture.status === "running" ? picture.matches : [];
  section.hidden = live.length === 0;
  find("#live-list").replaceChildren(...live.map(matchRow));
}

function showClock() {
  const { status, starts, ends } = picture;
  const clock = find("#tournament-clock");
  const until = status === "planned" ? starts : status === "running" ? ends : null;
  toggle(clock, until !== null);
  if (until !== null) setText(clock, countdown(until - Date.now() - offset));
}

function show() {
  showStandings();
  showMatches();
  showClock();
  const { round, rounds } = picture;
  toggle(find("#tournament-round"), Boolean(round));
  if (round) setText(find("#tournament-round"), t("Round {n} of {of}", { n: round, of: rounds }));
}

/** @param {number} rows */
const turn = (rows) => ((first += rows), showStandings());
find("#standings-before").addEventListener("click", () => turn(-shown));
find("#standings-after").addEventListener("click", () => turn(shown));
find("#standings-mine").addEventListener("click", () => {
  first = Math.floor(picture.rows.findIndex(({ id }) => id === me) / shown) * shown;
  showStandings();
});

const socket = lobby();
const ask = () => socket.send({ type: "tournament", id: picture.tournament });
socket.follow("hello", ask);
socket.on("tournament", (/** @type {Picture | Change} */ message) => {
  if (message.tournament !== picture.tournament) return;
  const next = applied(picture, message);
  if (next === null) return ask();
  const before = picture;
  picture = next;
  // The buttons, the podium and the boards are the server's: show its page once the state is another.
  const mine = (/** @type {Picture} */ one) => one.rows.find(({ id }) => id === me)?.state;
  const isOther = before.status !== next.status || before.boards.length !== next.boards.length;
  if (isOther || (me && mine(before) !== mine(next))) return location.reload();
  show();
  const own = (/** @type {Picture} */ one) => one.rows.find(({ id }) => id === me)?.rank;
  const rank = own(next);
  if (rank && rank !== own(before)) announce(t("Your place: {rank}", { rank }));
});
socket.open();

async function startChat() {
  const place = document.getElementById("talk");
  if (!place || !loadPrefs().chat) return;
  const { createChat } = await import("chat/panel.js");
  await createChat({
    room: `tournament:${picture.tournament}`,
    hint: t("No messages yet."),
    me: document.documentElement.dataset.user ?? "",
    style: place.dataset.style ?? "",
    after: place,
    root: find("#tournament"),
    phase: () => (picture.status === "over" ? "over" : "setup"),
  });
}

showTimes();
show();
startChat();
setInterval(showClock, 1000);
