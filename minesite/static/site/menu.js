// <details class="menu"> closes on Escape, on a click elsewhere, and when the focus leaves it.

export function startMenus(root = document) {
  const open = () => root.querySelectorAll("details.menu[open]");

  root.addEventListener("click", (event) => {
    for (const menu of open()) if (!menu.contains(event.target)) menu.open = false;
  });
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of open()) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });
  root.addEventListener("focusout", (event) => {
    const menu = event.target.closest("details.menu[open]");
    if (menu && event.relatedTarget && !menu.contains(event.relatedTarget)) menu.open = false;
  });
}
