// Size, mines, pasted text: where a position comes from.

import { find } from "site/dom.js";

/** @import { Position } from "./types.d.ts" */

/**
 * @param {{
 *   editor: ReturnType<typeof import("./editor.js").createEditor>,
 *   most: number,
 *   read: (text: string) => Promise<void>,
 * }} options
 */
export function startSetup({ editor, most, read }) {
  /** @param {string} id */
  const input = (id) => /** @type {HTMLInputElement} */ (find(`#analyser-${id}`));
  const [width, height, mines, mineCount] = ["width", "height", "mines", "mine-count"].map(input);
  const undo = /** @type {HTMLButtonElement} */ (find("#analyser-undo"));
  const text = /** @type {HTMLTextAreaElement} */ (find("#analyser-text"));
  const refusal = find("#analyser-refusal");

  /** @param {HTMLInputElement} field @param {number} least @param {number} above */
  function number(field, least, above) {
    const given = Math.round(Number(field.value));
    return Number.isFinite(given) ? Math.max(least, Math.min(above, given)) : least;
  }

  find("#analyser-new").addEventListener("submit", (event) => {
    event.preventDefault();
    const columns = number(width, 1, 100);
    const rows = number(height, 1, Math.min(100, Math.floor(most / columns)));
    editor.blank(columns, rows, number(mines, 0, columns * rows));
    const { position } = editor;
    [width.value, height.value, mines.value] = [position.width, position.height, position.mines].map(String);
  });
  find("#analyser-presets").addEventListener("click", ({ target }) => {
    const size = target instanceof HTMLElement ? target.dataset.size : undefined;
    if (!size) return;
    [width.value, height.value, mines.value] = size.split("x");
    const [columns, rows, count] = size.split("x").map(Number);
    editor.blank(columns, rows, count);
  });
  mineCount.addEventListener("change", () => {
    editor.setMines(number(mineCount, 0, editor.position.cells.length));
    mineCount.value = String(editor.position.mines);
  });
  find("#analyser-paste").addEventListener("submit", async (event) => {
    event.preventDefault();
    refusal.textContent = "";
    try {
      await read(text.value);
      text.value = "";
      find("#analyser-board").scrollIntoView({ block: "nearest" });
    } catch (error) {
      refusal.textContent = error instanceof Error ? error.message : String(error);
    }
    text.setAttribute("aria-invalid", String(Boolean(refusal.textContent)));
  });

  return {
    update() {
      mineCount.value = String(editor.position.mines);
      mineCount.max = String(editor.position.cells.length);
      undo.disabled = !editor.canUndo;
    },
  };
}
