// A page with miniature boards and nothing else that moves.

import { startMinis } from "./minis.js";

startMinis(document.querySelectorAll("[data-mini]"));
