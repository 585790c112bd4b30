// The admin's start page: polls the figures every second and the plots less often.

import { find, findAll, h, pageData } from "site/dom.js";
import { language, n, t } from "site/i18n.js";

import { short } from "../scale.js";
import { draw } from "./plot.js";

const data = pageData();
/**
 * The figures that the server sends every second (games/dashboard).
 * @typedef {object} Figures
 * @property {{ registered: number, guests: number, bots: number }} online
 * @property {number} matches
 * @property {number} waiting
 * @property {Record<string, { waiting: number, longest_ms: number }>} queues
 * @property {number} moves_per_second
 * @property {number | null} p50_ms
 * @property {number | null} p99_ms
 * @property {number | null} lag_p99_ms
 * @property {number | null} lag_most_ms
 * @property {{ slow: number, limited: number, resyncs: number }} last_minute
 * @property {number} redis_bytes
 * @property {number} redis_peak_bytes
 * @property {number} database_bytes
 * @property {number} disk_free_bytes
 * @property {boolean} disk_is_low
 * @property {number} open_reports
 * @property {boolean} queues_open
 * @property {{ kind: string, host: string, pid: number, up: number, heard: number }[]} processes
 * @property {{ match: string, mode: string, rated: boolean, players: string[], spectators: number }[]} running
 */

/** @param {string} name */
const $ = (name) => find(`[data-figure="${name}"]`);
/** @param {string} name @param {string} text */
const set = (name, text) => {
  const node = $(name);
  if (node.textContent !== text) node.textContent = text;
};

// The lines of the plots.
/** @type {Record<string, string>} */
const LINES = {
  online: t("online"),
  waiting: t("waiting"),
  matches: t("matches"),
  moves: t("moves per second"),
  p50: t("median"),
  p99: t("99% within"),
  lag: t("99% within"),
  slow: t("too slow (4008)"),
  limited: t("too fast (4009)"),
  resyncs: t("resyncs"),
};

const LATE_MS = 4000;
/** Players notice when the event loop is blocked for longer than this. */
const LAG_MS = 20;
/** @type {Record<string, number>} */
const PLOTS_MS = { hour: 10_000, day: 60_000 };

/** @param {number} number */
export function bytes(number) {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let at = 0;
  while (number >= 1000 && at < units.length - 1) {
    number /= 1024;
    at += 1;
  }
  return `${number >= 100 || at === 0 ? Math.round(number) : number.toFixed(1)} ${units[at]}`;
}

/** @param {number} seconds */
export function span(seconds) {
  if (seconds < 60) return `${Math.floor(seconds)} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
  return t("{n} d", { n: Math.floor(seconds / 86400) });
}

/** @param {number | null} value */
const ms = (value) => (value === null ? "–" : `${value >= 10 ? Math.round(value) : value.toFixed(1)} ms`);

/** @param {string} name @param {(string | Node)[][]} rows @param {string} empty */
function table(name, rows, empty) {
  const body = /** @type {HTMLTableSectionElement} */ (find(`[data-table="${name}"] tbody`));
  const columns = findAll("th", /** @type {HTMLElement} */ (body.parentElement));
  const made = rows.length ? rows : [[empty]];
  body.replaceChildren(
    ...made.map((row) => {
      const line = h("tr");
      row.forEach((value, at) => {
        const cell = line.insertCell();
        if (rows.length) cell.className = columns[at].className;
        else cell.colSpan = columns.length;
        cell.append(value);
      });
      return line;
    }),
  );
}

/** @param {string} text @param {string} href */
const link = (text, href) => h("a", { href }, text);

/** @param {string} name @param {boolean} on */
function warn(name, on) {
  find(`[data-warn="${name}"]`).classList.toggle("warning", on);
}

/** @param {Figures} now */
function show(now) {
  const { registered, guests, bots } = now.online;
  const queues = Object.entries(now.queues);
  const minute = now.last_minute;
  const over = minute.slow + minute.limited;
  set("online", String(registered + guests + bots));
  set("online-kinds", t("{registered} registered, {guests} guests, {bots} bots", { registered, guests, bots }));
  set("matches", String(now.matches));
  set(
    "watching",
    n(
      "{n} watching",
      "{n} watching",
      now.running.reduce((sum, one) => sum + one.spectators, 0),
    ),
  );
  set("waiting", String(now.waiting));
  set(
    "longest",
    queues.length
      ? t("longest {span}", { span: span(Math.max(...queues.map(([, one]) => one.longest_ms)) / 1000) })
      : t("nobody waiting"),
  );
  set("moves", short(now.moves_per_second));
  set("p50", ms(now.p50_ms));
  set("p99", ms(now.p99_ms));
  set("lag", ms(now.lag_p99_ms));
  set("lag-most", ms(now.lag_most_ms));
  warn("lag", (now.lag_p99_ms ?? 0) > LAG_MS);
  set("over", String(over));
  set(
    "over-kinds",
    t("{slow} too slow, {limited} too fast in the last minute", { slow: minute.slow, limited: minute.limited }),
  );
  warn("over", over > 0);
  set("resyncs", String(minute.resyncs));
  set("redis", bytes(now.redis_bytes));
  set("redis-peak", t("peak {size}", { size: bytes(now.redis_peak_bytes) }));
  set("database", bytes(now.database_bytes));
  set("disk", t("{size} free on disk", { size: bytes(now.disk_free_bytes) }));
  warn("disk", now.disk_is_low);
  set("reports", String(now.open_reports));
  warn("reports", now.open_reports > 0);
  set("queues-state", now.queues_open ? t("Open.") : t("Closed for maintenance: no new matches start."));
  table(
    "queues",
    queues.sort().map(([name, one]) => [name, String(one.waiting), span(one.longest_ms / 1000)]),
    t("Nobody is waiting."),
  );
  table(
    "processes",
    now.processes.map((one) => [
      one.kind,
      one.host,
      String(one.pid),
      span(one.up),
      t("{seconds} s ago", { seconds: one.heard.toFixed(1) }),
    ]),
    t("No process is reporting."),
  );
  table(
    "running",
    now.running.map((one) => [
      link(one.match, data.match.replace("{id}", one.match)),
      one.rated ? t("{mode}, rated", { mode: one.mode }) : one.mode,
      one.players.join(", "),
      String(one.spectators),
    ]),
    t("No matches running."),
  );
}

const stale = find("#stale");
let heard = performance.now();

async function figures() {
  try {
    const answer = await fetch(data.live, { signal: AbortSignal.timeout(5000) });
    if (answer.redirected || answer.status === 403) return location.reload();
    if (!answer.ok) throw new Error(String(answer.status));
    show(await answer.json());
    heard = performance.now();
    find("time", stale).textContent = new Date().toLocaleTimeString(language);
  } catch {
    // The notice below appears once the figures are LATE_MS old.
  }
  stale.hidden = performance.now() - heard < LATE_MS;
  setTimeout(figures, document.hidden ? 5000 : 1000);
}

/**
 * The names of the lines that a figure shows.
 * @param {HTMLElement} figure
 */
const linesOf = (figure) => (figure.dataset.lines ?? "").split(" ");

let wanted = "hour";
/** @type {{ lines: Record<string, (number | null)[]>, first: number, step: number } | null} */
let plotted = null;
let next = 0;

function redraw() {
  if (!plotted) return;
  const { lines: known, first, step } = plotted;
  for (const figure of findAll("[data-lines]")) {
    const lines = linesOf(figure).map((name) => ({ name: LINES[name], values: known[name] }));
    const svg = figure.querySelector("svg");
    if (svg) draw(svg, { lines, first, step, unit: figure.dataset.unit });
  }
}

async function plots() {
  clearTimeout(next);
  const asked = wanted;
  try {
    const answer = await fetch(data.series[asked], { signal: AbortSignal.timeout(10_000) });
    if (answer.ok && asked === wanted) {
      plotted = await answer.json();
      redraw();
    }
  } catch {
    // The next request retries.
  }
  if (asked === wanted) next = setTimeout(plots, PLOTS_MS[wanted]);
}

// Give the words in a caption that name its lines the colours of those lines.
for (const figure of findAll("[data-lines]")) {
  const names = linesOf(figure);
  if (names.length === 1) continue;
  const caption = find("figcaption", figure);
  caption.append(
    h(
      "span",
      {},
      names.flatMap((name, at) => [h(`span.key.l${at + 1}`, {}, LINES[name]), " "]),
    ),
  );
}
for (const button of findAll("[data-span]")) {
  button.addEventListener("click", () => {
    wanted = button.dataset.span ?? "hour";
    for (const one of findAll("[data-span]")) one.setAttribute("aria-pressed", String(one === button));
    plots();
  });
}
new ResizeObserver(redraw).observe(find(".plot-grid"));
figures();
plots();
