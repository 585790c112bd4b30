// One event in words, for the line under the board and for screen readers.

import { n, t } from "site/i18n.js";

import { reasonText } from "../match/texts.js";

const column = (cell, width) => (cell % width) + 1;
const row = (cell, width) => Math.floor(cell / width) + 1;

export function createDescriber({ mode, players, width }) {
  const name = (seat) => players[seat]?.name ?? "";
  const at = (cell) => t("column {x}, row {y}", { x: column(cell, width), y: row(cell, width) });

  const WORDS = {
    ready: (e) => (e.ready === false ? t("{name} is not ready any more.", { name: name(e.seat) }) : t("{name} is ready.", { name: name(e.seat) })),
    started: () => t("The match begins."),
    began: () => t("The match begins."),
    dropped: (e) => t("{name} lost the connection.", { name: name(e.seat) }),
    left: (e) => t("{name} left.", { name: name(e.seat) }),
    returned: (e) => t("{name} is back.", { name: name(e.seat) }),
    claimable: (e) => t("{name} is away for too long.", { name: name(e.seat) }),
    retired: (e) => t("{name} is out.", { name: name(e.seat) }),
    clock: () => t("The site was away; the clock stood still."),
    over: (e) => reasonText(e.outcome.reason),
    refused: (e) => e.text,
    opened: (e) => n("One cell opens.", "{n} cells open.", e.cells.length),
    mine: (e) => t("A mine at {place}.", { place: at(e.cell) }),
    flagged: (e) => (e.on ? t("A flag at {place}.", { place: at(e.cell) }) : t("The flag at {place} is taken away.", { place: at(e.cell) })),
    timer: (e) => (e.ended === null ? t("The clock runs.") : t("The clock stops.")),
    hinted: () => t("A hint was given."),
    progress: (e) => t("{name} is at {percent} %.", { name: name(e.seat), percent: e.percent }),
    locked: (e) => t("{name} struck a mine and has to wait.", { name: name(e.seat) }),
    finished: (e) => t("{name} has cleared the board.", { name: name(e.seat) }),
    picked: (e) => t("{name} picks a start.", { name: name(e.seat) }),
    stage: (e) => t("Stage {n} begins.", { n: e.stage }),
    claimed: (e) => n("{name} takes one cell.", "{name} takes {n} cells.", e.cells.length, { name: name(e.seat) }),
    struck: (e) => t("{name} strikes a mine at {place}.", { name: name(e.seat), place: at(e.cell) }),
    regenerated: (e) => n("One cell is made anew.", "{n} cells are made anew.", e.cells.length),
    thawed: (e) => t("{name} can move again.", { name: name(e.seat) }),
    caught_up: () => t("The freeze is over."),
    placed: () => t("The fleet is placed."),
    turn: (e) => (e.turn === null ? "" : t("It is {name}’s turn.", { name: name(e.turn) })),
    bombed: (e) => bombed(e),
    lapsed: (e) => t("{name} let three turns run out.", { name: name(e.seat) }),
  };

  function bombed({ seat, cell, hit, sunk }) {
    const what = { name: name(seat), place: at(cell) };
    if (sunk) return t("{name} bombs {place}: a ship is sunk.", what);
    return hit ? t("{name} bombs {place}: hit.", what) : t("{name} bombs {place}: miss.", what);
  }

  return (event) => (event ? (WORDS[event.type]?.(event) ?? event.type) : t("Before the first move."));
}

/** The cells that an event is about, to frame them on the board. */
export function cellsOf(event) {
  if (!event || event.type === "regenerated" || event.type === "caught_up") return [];
  const cells = event.cells ?? (typeof event.cell === "number" ? [event.cell] : []);
  return cells.length > 12 ? cells.slice(0, 1) : cells;
}

const LABELS = {
  proven_safe: () => ({ text: t("proven safe"), kind: "good" }),
  avoidable_guess: () => ({ text: t("a guess that was not needed"), kind: "warn" }),
  forced_guess: () => ({ text: t("a forced guess"), kind: "info" }),
  known_mine: () => ({ text: t("a mine that was known"), kind: "bad" }),
};

export const labelText = (label) => LABELS[label]?.() ?? { text: label, kind: "" };
