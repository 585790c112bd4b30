// confirmDialog({ title, text, yes, no, danger }) -> Promise<boolean>, with the native <dialog>.

import { h } from "site/dom.js";

/**
 * @param {{ title: string, text: string, yes: string, no: string, danger?: boolean }} words
 * @returns {Promise<boolean>}
 */
export function confirmDialog({ title, text, yes, no, danger = false }) {
  // The safe answer comes first, so that it gets the focus.
  const actions = [
    h("button.button", { value: "no" }, no),
    h(`button.button.${danger ? "danger" : "primary"}`, { value: "yes" }, yes),
  ];
  const dialog = h(
    "dialog",
    { "aria-labelledby": "dialog-title" },
    h(
      "form",
      { method: "dialog" },
      h("h2", { id: "dialog-title" }, title),
      h("p", {}, text),
      h("div.actions", {}, actions),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
  });
}
