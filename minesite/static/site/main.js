// Runs on every page: the scripts of the frame.
import { startMenus } from "site/menu.js";
import { startTabs } from "site/tabs.js";
import { startTheme } from "site/theme.js";

startTheme();
startMenus();
startTabs();

// While signed out, clear this mark, so that site/push.js renews its subscription after the next sign-in.
if (!document.documentElement.dataset.user) sessionStorage.removeItem("push");

// Signed-in players learn about live matches, challenges and starts on every page, but only after the page
// itself has loaded.
if (document.documentElement.dataset.user && !document.body.hasAttribute("data-no-lobby")) {
  const idle = window.requestIdleCallback ?? ((run) => setTimeout(run, 200));
  idle(async () => (await import("games/lobby/everywhere.js")).startEverywhere());
  // Only browsers with notifications need site/push.js.
  if (localStorage.getItem("push")) idle(async () => (await import("site/push.js")).renew());
}

// The worker shows the "no connection" page and caches files. See service-worker.js.
const { worker } = document.documentElement.dataset;
if (worker) navigator.serviceWorker?.register(worker).catch(() => {});
