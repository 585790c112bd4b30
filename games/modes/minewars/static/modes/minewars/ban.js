// The ban stage: each player votes for up to two cities that nobody should start in.

import { h, setText } from "site/dom.js";
import { t } from "site/i18n.js";

import { FERTILE, FOREST, kindOf, LAND, MOUNTAIN } from "./codes.js";
import { cityName } from "./words.js";

const MOST = 2;

/** How much each region's land yields per second, as far as the viewer knows the map. @param {any} game */
export function yields({ tiles, regions, cities, rules }) {
  const income = {
    [LAND]: rules?.land_income ?? 1,
    [FERTILE]: rules?.fertile_income ?? 2,
    [FOREST]: rules?.forest_income ?? 3,
    [MOUNTAIN]: rules?.mountain_income ?? 5,
  };
  const found = cities.map(() => 0);
  tiles.forEach((/** @type {number} */ code, /** @type {number} */ cell) => {
    if (regions[cell] === ".") return;
    const kind = /** @type {keyof typeof income} */ (kindOf(code));
    found[regions.charCodeAt(cell) - 97] += income[kind] ?? 0;
  });
  return found;
}

/** @param {any} session @param {(cell: number) => void} show where a city is */
export function createBan(session, show) {
  const list = h("div.war-ban-cities");
  const element = h(
    "div.setup-panel.war-ban",
    { hidden: true },
    h("h2", {}, t("Ban a city")),
    h("p", {}, t("Vote for up to two cities where nobody should start. The city with the most votes stays neutral.")),
    list,
  );
  /** @type {HTMLButtonElement[]} */
  let buttons = [];
  const game = () => session.view.game;

  /** @param {number} city */
  function vote(city) {
    if (!session.playing || session.view.phase !== "setup") return;
    const before = game().vote;
    const cities = before.includes(city)
      ? before.filter((/** @type {number} */ one) => one !== city)
      : [...before, city].slice(-MOST);
    session.act({ type: "vote", cities });
  }

  function build() {
    const found = yields(game());
    buttons = found.map((/** @type {number} */ worth, /** @type {number} */ city) =>
      h(
        "button.button.small",
        { type: "button", "aria-pressed": "false", onclick: () => (show(game().cities[city]), vote(city)) },
        h("b", {}, cityName(game(), city)),
        h("span", { title: t("Income from its land") }, t("+{n}/s", { n: worth })),
      ),
    );
    list.replaceChildren(...buttons);
  }

  return {
    element,
    vote,
    update() {
      const { phase, game: now } = session.view;
      element.hidden = phase !== "setup" || session.seat === null;
      if (element.hidden) return;
      if (buttons.length !== now.cities.length) build();
      buttons.forEach((button, city) => button.setAttribute("aria-pressed", String(now.vote.includes(city))));
      setText(element.children[0], t("Ban a city ({n} of {most})", { n: now.vote.length, most: MOST }));
    },
  };
}
