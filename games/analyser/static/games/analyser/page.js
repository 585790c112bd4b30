// /analyse/: a board to set up, and the site's answer beside it.

import { announce } from "site/announce.js";
import { find, pageData } from "site/dom.js";
import { t } from "site/i18n.js";
import { toast } from "site/toast.js";

import { createBoard } from "games/board/board.js";
import { minefield } from "games/board/minefield.js";
import { describeCell } from "games/match/cells.js";
import { loadPrefs } from "games/prefs.js";

import { createAsker } from "./ask.js";
import { createBrushes, paintedBy } from "./brushes.js";
import { createEditor } from "./editor.js";
import { createList } from "./list.js";
import { createResult } from "./result.js";
import { startSetup } from "./setup.js";
import { percent, verdictText } from "./words.js";

/** @import { AnalyserPage, Answer, Position } from "./types.d.ts" */

const PATIENCE = 250; // ms without another change before the site is asked

/** @type {AnalyserPage} */
const page = pageData();
const ask = createAsker(page.urls.analyse);
const holder = find("#analyser-board");
const caption = find("#analyser-caption");
const heatSwitch = /** @type {HTMLInputElement} */ (find("#analyser-heat"));
/** @type {Answer | null} */
let answer = null;
let timer = 0;

const editor = createEditor({ width: 1, height: 1, mines: 0, cells: [-1] });
const prefs = { ...loadPrefs(page.preferences), animations: false };
const board = createBoard(holder, { prefs, label: t("Position"), describe });
const brushes = createBrushes(find("#analyser-brushes"));
const result = createResult(find("#analyser-result"));
const list = createList(find("#analyser-list"), { look });
const setup = startSetup({ editor, most: page.most_cells, read });

/** @param {number} cell */
function describe(cell) {
  const chance = answer?.chances?.[cell] ?? null;
  const words = describeCell(board.state.wanted, cell);
  return chance === null ? words : t("{cell}, {percent} mine", { cell: words, percent: percent(chance) });
}

function draw() {
  const { width, height, cells } = editor.position;
  holder.style.setProperty("--columns", String(width));
  holder.style.setProperty("--rows", String(height));
  board.show(minefield(/** @type {any} */ ({ game: { width, height, cells } })));
}

/** @param {number[]} numbers @param {number | null} cell */
function mark(numbers, cell) {
  const { chances = null, conflict = null } = answer ?? {};
  const heat =
    chances && heatSwitch.checked
      ? chances.flatMap((chance, at) => (chance === null ? [] : [{ cell: at, chance }]))
      : [];
  const shaded = conflict ? conflict.numbers : numbers;
  board.mark({ heat, shaded, frames: cell === null ? [] : [{ cell, seat: 0 }] });
}

function markBest() {
  mark(answer?.best?.numbers ?? [], answer?.best?.cell ?? null);
}

/** @param {Answer} found */
function show(found) {
  answer = found;
  result.show(found);
  list.show(found);
  caption.textContent = "";
  markBest();
}

/** Ask the site about the position as it is now. @param {{ cell?: number }} [more] */
async function question(more = {}) {
  clearTimeout(timer);
  result.wait(true);
  try {
    const found = await ask({ position: editor.code, ...more });
    if (found) result.wait(false);
    return found;
  } catch (error) {
    result.wait(false);
    refuse(error);
    return null;
  }
}

/** @param {unknown} error */
function refuse(error) {
  answer = null;
  result.refuse(error instanceof Error ? error.message : String(error));
  list.show(null);
  board.mark({ heat: [], shaded: [], frames: [] });
}

async function analyse() {
  const found = await question();
  if (found) show(found);
}

/** Show why a closed cell is safe or a mine. @param {number} cell */
async function look(cell) {
  if (editor.position.cells[cell] >= 0 || editor.position.cells[cell] === -3) return;
  board.set({ cursor: cell });
  const found = await question({ cell });
  if (!found) return;
  if (answer?.position !== found.position) show(found);
  if (!found.why) return;
  caption.textContent = verdictText(found, found.why);
  announce(caption.textContent);
  mark(found.why.numbers, cell);
}

/** Read a link's code or pasted text; throws an Error with a sentence. @param {string} text */
async function read(text) {
  const found = await ask({ position: text, mines: editor.position.mines });
  if (!found) return;
  const { width, height, mines, cells } = found;
  editor.replace({ width, height, mines, cells }, { first: !answer && !editor.canUndo });
  clearTimeout(timer);
  show(found);
}

editor.on("change", ({ first }) => {
  answer = null;
  draw();
  setup.update();
  caption.textContent = "";
  board.mark({ heat: [], shaded: [], frames: [] });
  if (first) return;
  history.replaceState(null, "", `${page.urls.page}?position=${editor.code}`);
  clearTimeout(timer);
  timer = setTimeout(analyse, PATIENCE);
});

board.on("act", ({ kind, cell }) => {
  if (kind === "flag") return editor.flag(cell);
  if (brushes.chosen === "inspect") return void look(cell);
  editor.paint([cell], brushes.chosen);
});
board.grab = (/** @type {number} */ first) => {
  const { chosen } = brushes;
  if (chosen === "inspect") return null;
  const cells = new Set([first]);
  const preview = () => board.set({ pressed: [...cells] });
  preview();
  return {
    move(/** @type {number} */ cell) {
      if (cell >= 0) cells.add(cell);
      preview();
    },
    drop: () => (board.set({ pressed: [] }), editor.paint(cells, chosen)),
    cancel: () => board.set({ pressed: [] }),
  };
};
holder.addEventListener(
  "keydown",
  (event) => {
    const code = paintedBy(event);
    if (code !== null) {
      const { cursor, cursorShown, hover } = board.state;
      const cell = !cursorShown && hover >= 0 ? hover : cursor;
      if (cell < 0) return;
      editor.paint([cell], code);
      announce(describe(cell));
    } else if (event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey)) {
      editor.undo();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  },
  { capture: true },
);
heatSwitch.addEventListener("change", markBest);
find("#analyser-undo").addEventListener("click", () => editor.undo());
find("#analyser-share").addEventListener("click", async () => {
  const link = `${location.origin}${page.urls.page}?position=${editor.code}`;
  try {
    await navigator.clipboard.writeText(link);
    toast(t("Link to this position copied."), { kind: "good" });
  } catch {
    toast(t("The address of this page now leads to this position."));
  }
});

try {
  await read(page.position);
} catch (error) {
  refuse(error);
}
find("#analyser").removeAttribute("aria-busy");
