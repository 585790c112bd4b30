// A match with nothing hidden: the truth and each player's view, redrawn every second.

import { context2d, find, h } from "site/dom.js";
import { t } from "site/i18n.js";

/** @import { Ship } from "games/board/types.d.ts" */

/** @typedef {{ players: { name: string, connected: boolean }[], views: any[], truth: any, over: boolean, entries: number, now: number }} Found */

const root = find("#watch");
const state = find("#state");
const boards = find("#boards");
const raw = find("#raw");
const SEATS = ["#1f6fb2", "#c23c1c", "#7a4fb5", "#b07a1c", "#127a6a", "#b23a78"];
const CELL = 20;

/** @param {string} title @param {number} width @param {number} height */
function canvas(title, width, height) {
  const node = h("canvas", { width: width * CELL, height: height * CELL, role: "img", "aria-label": title });
  boards.append(h("figure", {}, h("figcaption", {}, title), node));
  return context2d(node);
}

/** @param {CanvasRenderingContext2D} pen @param {number} width @param {number} index @param {string} fill */
function cell(pen, width, index, fill, text = "", ink = "#222") {
  const x = (index % width) * CELL,
    y = Math.floor(index / width) * CELL;
  pen.fillStyle = fill;
  pen.fillRect(x + 0.5, y + 0.5, CELL - 1, CELL - 1);
  if (!text) return;
  pen.fillStyle = ink;
  pen.font = "bold 13px sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  pen.fillText(text, x + CELL / 2, y + CELL / 2 + 1);
}

/** @param {number} code */
const mark = (code) => (code >= 1 && code <= 8 ? String(code) : "");

/**
 * Width and height; a field without them is square.
 * @param {any} view
 */
function shape(view) {
  if (view.width) return { width: view.width, height: view.height };
  const side = view.size ?? Math.round(Math.sqrt(view.cells.length));
  return { width: side, height: side };
}

/**
 * A field of cells: digits as the view has them, mines as they truly lie.
 * @param {string} title
 * @param {any} view
 * @param {number[]} mines
 * @param {(number | null)[]} [owners]
 */
function field(title, view, mines, owners) {
  const { cells } = view;
  const { width, height } = shape(view);
  const pen = canvas(title, width, height);
  const mined = new Set(mines);
  for (let index = 0; index < width * height; index += 1) {
    const code = cells ? cells[index] : null;
    const owner = owners?.[index];
    const open = Number.isInteger(code) && code >= 0 && code <= 8;
    const fill = owner !== null && owner !== undefined ? `${SEATS[owner]}55` : open ? "#f8f5ee" : "#b9cbbd";
    cell(
      pen,
      width,
      index,
      fill,
      mined.has(index) ? "●" : open ? mark(code) : "",
      mined.has(index) ? "#b3381b" : "#222",
    );
  }
}

/** @param {string} title @param {Ship[] | null} ships @param {{ tried: number[] }} sea */
function fleet(title, ships, sea) {
  const size = Math.round(Math.sqrt(sea.tried.length));
  const pen = canvas(title, size, size);
  sea.tried.forEach((_, index) => cell(pen, size, index, "#cfe0ea"));
  for (const ship of ships ?? []) {
    for (let at = 0; at < ship.length; at += 1) cell(pen, size, ship.cell + at * (ship.vertical ? size : 1), "#55707f");
  }
  sea.tried.forEach((tried, index) => {
    if (!tried) return;
    const x = (index % size) * CELL + CELL / 2,
      y = Math.floor(index / size) * CELL + CELL / 2;
    pen.fillStyle = "#b3381b";
    pen.beginPath();
    pen.arc(x, y, 4, 0, 7);
    pen.fill();
  });
}

/** @param {Found} found */
function show(found) {
  boards.replaceChildren();
  const names = found.players.map((player) => player.name);
  const truth = found.truth ?? {};
  const games = found.views.map((view) => view.game ?? view);
  if (Array.isArray(truth.fleets)) {
    truth.fleets.forEach((/** @type {Ship[] | null} */ ships, /** @type {number} */ seat) =>
      fleet(names[seat], ships, games[0].seas[seat]),
    );
  } else if (Array.isArray(truth.mines) && (games[0]?.width || games[0]?.cells)) {
    if (truth.owners) field(t("The truth"), { ...games[0], cells: truth.numbers }, truth.mines, truth.owners);
    games.forEach((view, seat) => field(names[seat], view, truth.mines));
  }
  const there = found.players
    .map((player) => `${player.name} (${player.connected ? t("connected") : t("away")})`)
    .join(", ");
  const entries = t("{entries} entries", { entries: found.entries });
  state.textContent = [found.over ? t("Over") : t("Live"), entries, `${(found.now / 1000).toFixed(0)} s`, there].join(
    " · ",
  );
  raw.textContent = JSON.stringify(found, null, 1);
}

async function look() {
  try {
    const answer = await fetch(root.dataset.full ?? "", { signal: AbortSignal.timeout(5000) });
    const found = await answer.json();
    if (!answer.ok) {
      state.textContent = found.error;
      return;
    }
    show(found);
    if (found.over) return;
  } catch {
    state.textContent = t("The match isn’t responding. Trying again…");
  }
  setTimeout(look, 1000);
}
look();
