// Runs on every page: the small things of the frame.
import { startMenus } from "site/menu.js";
import { startTabs } from "site/tabs.js";
import { startTheme } from "site/theme.js";

startTheme();
startMenus();
startTabs();
