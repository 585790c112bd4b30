// The list of matches that run now, as /watch/ and the front page show it.

import { n, t } from "site/i18n.js";

import { modeTitle } from "../modes.js";

function make(tag, className, text) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
}

function players(list) {
  const element = make("span", "live-players");
  list.forEach(({ name, kind }, seat) => {
    if (seat) element.append(make("i", "", t("against")));
    element.append(make("b", `seat-name seat-${seat + 1}`, name));
    if (kind === "house" || kind === "bot") element.append(make("span", "badge", t("bot")));
  });
  return element;
}

function row({ url, mode, rated, players: seats, spectators }) {
  const item = make("li");
  const link = make("a", "live-match");
  link.href = url;
  const facts = make("span", "row live-facts");
  facts.append(make("span", "badge live", modeTitle(mode)));
  if (rated) facts.append(make("span", "badge info", t("rated")));
  facts.append(make("span", "soft small-text", n("{n} watching", "{n} watching", spectators)));
  link.append(players(seats), facts);
  item.append(link);
  return item;
}

/** Fill `list` with the matches; `empty` is shown instead when there are none. */
export function showMatches(list, empty, live, most = 50) {
  list.replaceChildren(...live.slice(0, most).map(row));
  list.hidden = live.length === 0;
  if (empty) empty.hidden = live.length > 0;
}
