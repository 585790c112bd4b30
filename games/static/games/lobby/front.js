// The front page: animated boards, live numbers, and a match with one click.

import { closest, find, findAll } from "site/dom.js";

import { startCounts } from "./counts.js";
import { showMatches } from "./live-list.js";
import { startMinis } from "./minis.js";
import { againstABot, start } from "./quick.js";

const MOST = 6;
const list = find("#live-list");
const empty = document.getElementById("live-empty");

document.addEventListener("click", (event) => {
  const quick = closest(event, "[data-quick], [data-solo]");
  // With a modifier key a link opens its page as usual.
  if (!quick || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  if (quick.hasAttribute("aria-busy")) return;
  const { quick: mode, preset, solo } = quick.dataset;
  start(mode ? againstABot(mode, preset) : { type: "solo", mode: solo }, quick);
});

startCounts({ onMatches: (live) => showMatches(list, empty, live, MOST) });
startMinis(findAll("[data-mini]"));
