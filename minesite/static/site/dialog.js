// confirmDialog({ title, text, yes, no, danger }) -> Promise<boolean>, with the native <dialog>.

function button(label, className, value) {
  return Object.assign(document.createElement("button"), { textContent: label, className, value });
}

export function confirmDialog({ title, text, yes, no, danger = false }) {
  const dialog = document.createElement("dialog");
  const form = Object.assign(document.createElement("form"), { method: "dialog" });
  const heading = Object.assign(document.createElement("h2"), { textContent: title, id: "dialog-title" });
  const words = Object.assign(document.createElement("p"), { textContent: text });
  const actions = Object.assign(document.createElement("div"), { className: "actions" });
  // The safe answer is first, so that it has the focus.
  actions.append(button(no, "button", "no"), button(yes, `button ${danger ? "danger" : "primary"}`, "yes"));
  form.append(heading, words, actions);
  dialog.setAttribute("aria-labelledby", heading.id);
  dialog.append(form);
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
  });
}
