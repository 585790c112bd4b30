// <details class="menu"> closes on Escape, on a click elsewhere, and when the focus leaves it.

import { closest, findAll } from "site/dom.js";

/** @param {Document} root */
export function startMenus(root = document) {
  /** @returns {HTMLDetailsElement[]} */
  const open = () => findAll("details.menu[open]", root);

  root.addEventListener("click", (event) => {
    for (const menu of open()) if (!menu.contains(/** @type {Node} */ (event.target))) menu.open = false;
  });
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of open()) {
      menu.open = false;
      menu.querySelector("summary")?.focus();
    }
  });
  root.addEventListener("focusout", (event) => {
    /** @type {HTMLDetailsElement | null} */
    const menu = closest(event, "details.menu[open]");
    if (menu && event.relatedTarget && !menu.contains(/** @type {Node} */ (event.relatedTarget))) menu.open = false;
  });
}
