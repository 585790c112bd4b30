// A card for each of the player's cities: bank, income, build queue, and siege.

import { h, icon, setText, toggle } from "site/dom.js";
import { t } from "site/i18n.js";
import { secondsLeft } from "games/match/time.js";

import { amount, cityName, STRUCTURES } from "./words.js";

/**
 * @param {{ session: any, legal: import("./legal.js").Legal, go: (cell: number) => void,
 *   cancel: (cell: number) => void }} parts `cancel` removes a tile's structure from the queue
 */
export function createCards({ session, legal, go, cancel }) {
  const list = h("ul.war-cities", { "aria-label": t("Your cities") });
  /** @type {Map<number, ReturnType<typeof card>>} */
  const cards = new Map();
  const game = () => session.view.game;

  /** @param {number} city */
  function card(city) {
    const name = h("b");
    const bank = h("span.war-bank");
    const rate = h("span.war-rate");
    const job = h("span.war-job");
    const bar = h("i.war-bar");
    const linked = h("span.war-linked");
    const siege = h("span.war-siege");
    const button = h(
      "button.war-city",
      { type: "button", onclick: () => go(game().cities[city]) },
      name,
      bank,
      rate,
      job,
      h("span.war-track", { "aria-hidden": "true" }, bar),
      linked,
      siege,
    );
    const queue = h("ul.war-queue", { "aria-label": t("Build queue") });
    return { element: h("li", {}, button, queue), button, name, bank, rate, job, bar, linked, siege, queue, shown: "" };
  }

  /** A queued structure, with a button to cancel it. @param {[number, number[], number]} job */
  function queued([kind, [cell]]) {
    const label = t("Cancel: {structure}", { structure: STRUCTURES[kind] });
    const how = { type: "button", title: label, "aria-label": label, onclick: () => cancel(cell) };
    return h("li", {}, h("span", {}, STRUCTURES[kind]), h("button.war-cancel", how, icon("close")));
  }

  return {
    element: list,
    update() {
      const { banks, jobs, sieges } = game();
      const time = session.time();
      const own = game().banks.flatMap((/** @type {any} */ bank, /** @type {number} */ city) => (bank ? [city] : []));
      for (const [city, { element }] of cards) {
        if (!own.includes(city)) (element.remove(), cards.delete(city));
      }
      for (const city of own) {
        let made = cards.get(city);
        if (!made) {
          cards.set(city, (made = card(city)));
          list.append(made.element);
        }
        const [first, ...later] = jobs[city] ?? [];
        setText(made.name, cityName(game(), city));
        setText(made.bank, amount(legal.money(city, time)));
        setText(made.rate, t("+{n}/s", { n: banks[city].rate }));
        toggle(made.job, Boolean(first));
        toggle(/** @type {HTMLElement} */ (made.bar.parentElement), Boolean(first));
        if (first) {
          const done = banks[city].built + banks[city].rate * (time - banks[city].at);
          made.bar.style.width = `${Math.min(100, (100 * done) / Math.max(1, first[2]))}%`;
          setText(made.job, later.length ? `${STRUCTURES[first[0]]} +${later.length}` : STRUCTURES[first[0]]);
        }
        const shown = JSON.stringify(jobs[city] ?? []);
        if (made.shown !== shown) {
          made.shown = shown;
          made.queue.replaceChildren(...(session.playing ? (jobs[city] ?? []).map(queued) : []));
        }
        const others = game().links.flatMap((/** @type {[number, number]} */ [a, b]) =>
          a === city ? [b] : b === city ? [a] : [],
        );
        toggle(made.linked, others.length > 0);
        if (others.length) {
          const names = others.map((/** @type {number} */ one) => cityName(game(), one)).join(", ");
          setText(made.linked, t("Road to {cities}", { cities: names }));
        }
        const siege = sieges[city];
        toggle(made.siege, Boolean(siege));
        made.button.classList.toggle("is-besieged", Boolean(siege));
        if (siege) setText(made.siege, t("Siege: {left} s", { left: secondsLeft(siege[1] - time) }));
      }
    },
  };
}
