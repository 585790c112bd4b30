// Runs on every page: the small things of the frame.
import { startMenus } from "site/menu.js";
import { startTabs } from "site/tabs.js";
import { startTheme } from "site/theme.js";

startTheme();
startMenus();
startTabs();

// After a new sign-in in this tab the site has to hear of the new session (site/push.js).
if (!document.documentElement.dataset.user) sessionStorage.removeItem("push");

// Who is signed in hears of a running match, a challenge or a start on every page; not before the
// page itself is there.
if (document.documentElement.dataset.user && !document.body.hasAttribute("data-no-lobby")) {
  const idle = window.requestIdleCallback ?? ((run) => setTimeout(run, 200));
  idle(async () => (await import("games/lobby/everywhere.js")).startEverywhere());
  // Only browsers that show notifications need more. See site/push.js.
  if (localStorage.getItem("push")) idle(async () => (await import("site/push.js")).renew());
}

// Only for the page that says "no connection", and to load files once. See service-worker.js.
const { worker } = document.documentElement.dataset;
if (worker) navigator.serviceWorker?.register(worker).catch(() => {});
