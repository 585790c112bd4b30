// role="tablist": arrow keys move between tabs, and a chosen tab shows its panel (aria-controls).

import { closest, findAll } from "site/dom.js";

/** @param {HTMLElement} list @param {HTMLElement} tab */
function choose(list, tab) {
  for (const other of findAll('[role="tab"]', list)) {
    const chosen = other === tab;
    other.setAttribute("aria-selected", String(chosen));
    other.tabIndex = chosen ? 0 : -1;
    const panel = document.getElementById(other.getAttribute("aria-controls") ?? "");
    if (panel) panel.hidden = !chosen;
  }
  list.dispatchEvent(new CustomEvent("tab", { bubbles: true, detail: tab }));
}

/** @param {ParentNode} root */
export function startTabs(root = document) {
  for (const list of findAll('[role="tablist"]', root)) {
    const tabs = findAll('[role="tab"]', list);
    choose(list, tabs.find((tab) => tab.getAttribute("aria-selected") === "true") ?? tabs[0]);
    list.addEventListener("click", (event) => {
      const tab = closest(event, '[role="tab"]');
      if (tab) choose(list, tab);
    });
    list.addEventListener("keydown", (event) => {
      const at = tabs.findIndex((tab) => tab === document.activeElement);
      /** @type {Record<string, number>} */
      const targets = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 };
      const to = targets[event.key];
      if (at < 0 || to === undefined) return;
      event.preventDefault();
      const tab = tabs[(to + tabs.length) % tabs.length];
      choose(list, tab);
      tab.focus();
    });
  }
}
