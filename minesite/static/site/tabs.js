// role="tablist": arrow keys move between tabs, and a chosen tab shows its panel (aria-controls).

function choose(list, tab) {
  for (const other of list.querySelectorAll('[role="tab"]')) {
    const chosen = other === tab;
    other.setAttribute("aria-selected", String(chosen));
    other.tabIndex = chosen ? 0 : -1;
    const panel = document.getElementById(other.getAttribute("aria-controls"));
    if (panel) panel.hidden = !chosen;
  }
  list.dispatchEvent(new CustomEvent("tab", { bubbles: true, detail: tab }));
}

export function startTabs(root = document) {
  for (const list of root.querySelectorAll('[role="tablist"]')) {
    const tabs = [...list.querySelectorAll('[role="tab"]')];
    choose(list, tabs.find((tab) => tab.getAttribute("aria-selected") === "true") ?? tabs[0]);
    list.addEventListener("click", (event) => {
      const tab = event.target.closest('[role="tab"]');
      if (tab) choose(list, tab);
    });
    list.addEventListener("keydown", (event) => {
      const at = tabs.indexOf(document.activeElement);
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
      if (at < 0 || to === undefined) return;
      event.preventDefault();
      const tab = tabs[(to + tabs.length) % tabs.length];
      choose(list, tab);
      tab.focus();
    });
  }
}
