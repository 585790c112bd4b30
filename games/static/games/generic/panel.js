// The panel beside a common board: whose turn it is, the mode's note, and the actions to choose from.

import { h, setText, toggle } from "site/dom.js";
import { t } from "site/i18n.js";

/** @typedef {import("./fold.js").Action} Action */

/**
 * Keeps an element at the greatest height that it has had at its current width. On a phone it shares the
 * page's height with the board, which must not move when a line appears or disappears.
 * @param {HTMLElement} element
 */
function keepRoom(element) {
  let width = 0;
  function hold() {
    width = element.offsetWidth;
    if (element.offsetHeight) element.style.minHeight = `${element.offsetHeight}px`;
  }
  function renew() {
    element.style.minHeight = "";
    hold();
  }
  new ResizeObserver(() => (element.offsetWidth === width ? hold() : renew())).observe(element);
  return { renew };
}

/** @param {any} session @param {(action: Action) => void} run an action that needs no cell */
export function createPanel(session, run) {
  const turn = h("p.play-turn");
  const note = h("p.soft.play-note");
  const tools = h("div.segmented", { role: "group", "aria-label": t("On a cell") });
  const buttons = h("div.row.play-buttons");
  const element = h("div.play-panel", {}, turn, note, tools, buttons);
  let shown = "";
  /** @type {Action[]} */
  let onCells = [];
  /** @type {Action[]} The actions offered last. */
  let known = [];
  let waits = true;
  let phase = "";
  const room = keepRoom(element);
  let chosen = "";

  /**
   * Between turns the last turn's buttons stay, disabled, so that the board beside them keeps its size.
   * @param {Action[]} offered
   */
  function build(offered) {
    if (offered.length) known = offered;
    waits = offered.length === 0;
    onCells = known.filter(({ target }) => target === "cell");
    const key = JSON.stringify(known.map(({ type, label, target }) => [type, label, target]));
    if (key !== shown) rebuild(known);
    shown = key;
    for (const button of element.querySelectorAll(".segmented button, .play-buttons button")) {
      button.setAttribute("aria-disabled", String(waits));
    }
  }

  /** @param {Action[]} actions */
  function rebuild(actions) {
    if (!onCells.some(({ type }) => type === chosen)) chosen = onCells[0]?.type ?? "";
    tools.replaceChildren(
      ...onCells.map(({ type, label }) =>
        h("button", { type: "button", value: type, onclick: () => choose(type) }, t(label)),
      ),
    );
    buttons.replaceChildren(
      ...actions
        .filter(({ target }) => target === "none")
        .map((action) =>
          h("button.button", { type: "button", onclick: () => (waits ? null : run(action)) }, t(action.label)),
        ),
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
  const turnText = (name) => (name === null ? "" : t("It’s {name}’s turn.", { name }));

  return {
    element,
    /**
     * The action that a press on a cell stands for; `other`: the one after it, if there are several.
     * @returns {Action | null}
     */
    action(other = false) {
      if (waits || (other && onCells.length < 2)) return null;
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
      if (!live || !session.playing) known = [];
      build(live && session.playing ? actions : []);
      const whose = setup ? t("Getting ready") : "";
      const mine = live && now === seat && session.playing ? t("It’s your turn.") : "";
      setText(turn, whose || mine || turnText(live && now !== null ? session.name(now) : null));
      setText(note, said ? t(said) : "");
      toggle(turn, turn.textContent !== "");
      toggle(note, note.textContent !== "");
      toggle(tools, onCells.length > 1);
      toggle(buttons, buttons.childElementCount > 0);
      element.classList.toggle("is-yours", Boolean(mine));
      element.hidden = [turn, note, tools, buttons].every((part) => part.hidden);
      if (view.phase !== phase) room.renew();
      phase = view.phase;
    },
  };
}
