// Short messages at the edge of the window. toast("Saved"), toast("Lost", { kind: "bad" }),
// toast("Your match begins", { action: { label: "Open", href: "/match/x/" }, seconds: 0 })

import { announce } from "site/announce.js";

function closeButton(element) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "×";
  button.setAttribute("aria-label", document.getElementById("toasts").dataset.close);
  button.addEventListener("click", () => element.remove());
  return button;
}

export function toast(text, { kind = "", seconds = 5, action = null } = {}) {
  const element = document.createElement("div");
  element.className = `toast ${kind}`;
  element.append(Object.assign(document.createElement("span"), { textContent: text }));
  if (action) {
    const link = document.createElement(action.href ? "a" : "button");
    link.textContent = action.label;
    if (action.href) link.href = action.href;
    if (action.run) link.addEventListener("click", () => (element.remove(), action.run()));
    element.append(link);
  }
  element.append(closeButton(element));
  document.getElementById("toasts").append(element);
  announce(text, kind === "bad" ? "assertive" : "polite");
  if (seconds) setTimeout(() => element.remove(), seconds * 1000);
  return element;
}
