// /watch/: keeps the list of live matches up to date.

import { find } from "site/dom.js";

import { startCounts } from "./counts.js";
import { showMatches } from "./live-list.js";

const list = find("#live-list");
const empty = document.getElementById("live-empty");

startCounts({ onMatches: (live) => showMatches(list, empty, live) });
