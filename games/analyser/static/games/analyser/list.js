// The closed cells as a table, the safest first: for screen readers, and to find a cell by its figures.

import { find, h } from "site/dom.js";
import { t } from "site/i18n.js";

import { percent, place } from "./words.js";

/** @import { Answer } from "./types.d.ts" */

const FEW = 8;

/** @param {HTMLElement} card @param {{ look: (cell: number) => void }} options */
export function createList(card, { look }) {
  const holder = find("#analyser-cells", card);
  let all = false;
  /** @type {Answer | null} */
  let shown = null;

  /** @param {Answer} answer */
  function ranked({ chances, wins }) {
    const win = new Map(wins);
    return (chances ?? [])
      .flatMap((chance, cell) => (chance === null ? [] : [{ cell, chance, win: win.get(cell) ?? null }]))
      .sort((a, b) => (b.win ?? 0) - (a.win ?? 0) || a.chance - b.chance || a.cell - b.cell);
  }

  function draw() {
    const answer = shown;
    const rows = answer ? ranked(answer) : [];
    card.hidden = rows.length === 0;
    holder.classList.toggle("is-long", all);
    if (!answer || !rows.length) return holder.replaceChildren();
    const wins = answer.wins.length > 0;
    const visible = all ? rows : rows.slice(0, FEW);
    const head = h("tr", {}, h("th", { scope: "col" }, t("Cell")), h("th.number", { scope: "col" }, t("Mine")));
    if (wins) head.append(h("th.number", { scope: "col" }, t("Win")));
    const body = visible.map(({ cell, chance, win }) => {
      const button = h("button.cell-link", { type: "button", onclick: () => look(cell) }, place(answer, cell));
      const row = h("tr", {}, h("th", { scope: "row" }, button), h("td.number", {}, percent(chance)));
      if (wins) row.append(h("td.number", {}, win === null ? "–" : percent(win)));
      return row;
    });
    const more = h(
      "button.button.quiet.small",
      { type: "button", hidden: rows.length <= FEW, onclick: () => ((all = !all), draw()) },
      all ? t("Show fewer") : t("Show all {n} cells", { n: rows.length }),
    );
    holder.replaceChildren(h("table", {}, h("thead", {}, head), h("tbody", {}, body)), more);
  }

  return {
    /** @param {Answer | null} answer */
    show(answer) {
      shown = answer;
      draw();
    },
  };
}
