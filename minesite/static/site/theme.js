// Automatic, light or dark. The cookie lets the server send the right colours with the first byte;
// localStorage tells the other tabs.

import { findAll } from "site/dom.js";

export const THEMES = ["auto", "light", "dark"];
const KEY = "theme";
const YEAR = 365 * 24 * 3600;

export function currentTheme() {
  const { theme = "auto" } = document.documentElement.dataset;
  return THEMES.includes(theme) ? theme : "auto";
}

/** @param {string} theme */
function show(theme) {
  document.documentElement.dataset.theme = theme;
  for (const button of findAll("[data-theme-switch]")) {
    button.title = button.dataset[theme] ?? "";
    button.setAttribute("aria-label", button.title);
  }
  for (const button of findAll("[data-theme-choice] button")) {
    button.setAttribute("aria-pressed", String(/** @type {HTMLButtonElement} */ (button).value === theme));
  }
}

/** @param {string} theme */
export function setTheme(theme) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  document.cookie = `${KEY}=${theme}; path=/; max-age=${YEAR}; samesite=lax${secure}`;
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // A browser without storage still has the cookie.
  }
  show(theme);
}

export function startTheme() {
  for (const button of findAll("[data-theme-switch]")) {
    button.hidden = false;
    button.addEventListener("click", () => {
      setTheme(THEMES[(THEMES.indexOf(currentTheme()) + 1) % THEMES.length]);
    });
  }
  for (const choice of findAll("[data-theme-choice]")) {
    choice.hidden = false;
    choice.addEventListener("click", (event) => {
      const { value = "" } = /** @type {HTMLButtonElement} */ (event.target);
      if (THEMES.includes(value)) setTheme(value);
    });
  }
  show(currentTheme());
  window.addEventListener("storage", (event) => {
    if (event.key === KEY && THEMES.includes(event.newValue ?? "")) show(event.newValue ?? "");
  });
}
