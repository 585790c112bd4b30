// /watch/: the list as it changes.

import { startCounts } from "./counts.js";
import { showMatches } from "./live-list.js";

const list = document.getElementById("live-list");
const empty = document.getElementById("live-empty");

startCounts({ onMatches: (live) => showMatches(list, empty, live) });
