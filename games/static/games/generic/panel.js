// Beside a common board: whose turn it is, what there is to say, and the actions that one can choose.

import { h, setText, toggle } from "site/dom.js";
import { t } from "site/i18n.js";

/** @typedef {import("./fold.js").Action} Action */

/** @param {any} session @param {(action: Action) => void} run an action that needs no cell */
export function createPanel(session, run) {
  const turn = h("p.play-turn");
  const note = h("p.soft");
  const ready = h(
    "button.button.primary.wide",
    { type: "button", onclick: () => session.act({ type: "ready" }) },
    t("I am ready"),
  );
  const tools = h("div.segmented", { role: "group", "aria-label": t("On a cell") });
  const buttons = h("div.row.play-buttons");
  const element = h("div.play-panel", {}, turn, note, ready, tools, buttons);
  let offered = "";
  /** @type {Action[]} */
  let onCells = [];
  let chosen = "";

  /** @param {Action[]} actions */
  function build(actions) {
    const key = JSON.stringify(actions);
    if (key === offered) return;
    offered = key;
    onCells = actions.filter(({ target }) => target === "cell");
    if (!onCells.some(({ type }) => type === chosen)) chosen = onCells[0]?.type ?? "";
    tools.replaceChildren(
      ...onCells.map(({ type, label }) =>
        h("button", { type: "button", value: type, onclick: () => choose(type) }, t(label)),
      ),
    );
    buttons.replaceChildren(
      ...actions
        .filter(({ target }) => target === "none")
        .map((action) => h("button.button", { type: "button", onclick: () => run(action) }, t(action.label))),
    );
    choose(chosen);
  }

  /** @param {string} type */
  function choose(type) {
    chosen = type;
    for (const button of tools.querySelectorAll("button")) {
      button.setAttribute("aria-pressed", String(button.value === type));
    }
  }

  /** @param {string | null} name */
  const turnText = (name) => (name === null ? "" : t("It is {name}’s turn.", { name }));

  return {
    element,
    /** The action that a press on a cell stands for; `other`: the one after it. */
    action(other = false) {
      const at = onCells.findIndex(({ type }) => type === chosen);
      return onCells[other ? (at + 1) % onCells.length : at] ?? null;
    },
    /** @param {number} number which action on cells to choose, from 0 */
    pick(number) {
      if (onCells[number]) choose(onCells[number].type);
    },
    update() {
      const { view, seat } = session;
      const live = view.phase === "live";
      const setup = view.phase === "setup";
      const { turn: now, note: said, actions } = view.game;
      const waiting = setup && seat !== null && !view.seats[seat].ready;
      build(live && session.playing ? actions : []);
      const whose = setup ? (waiting ? t("Ready?") : t("Waiting for the others…")) : "";
      const mine = live && now === seat && session.playing ? t("It’s your turn.") : "";
      setText(turn, whose || mine || turnText(live && now !== null ? session.name(now) : null));
      setText(note, said ? t(said) : "");
      toggle(turn, turn.textContent !== "");
      toggle(note, note.textContent !== "");
      toggle(ready, waiting);
      toggle(tools, onCells.length > 1);
      toggle(buttons, buttons.childElementCount > 0);
      element.classList.toggle("is-yours", Boolean(mine));
      element.hidden = [turn, note, ready, tools, buttons].every((part) => part.hidden);
    },
  };
}
