// One line of the log, with what a reader can do about it.

import { h } from "site/dom.js";
import { t } from "site/i18n.js";

import { phraseText } from "./phrases.js";

/** @import { ChatLine } from "chat/types.d.ts" */

/** @param {ChatLine} line */
export const textOf = ({ phrase, text }) => (phrase ? phraseText(phrase) : (text ?? ""));

/**
 * @param {ChatLine} line
 * @param {boolean} isOwn
 * @param {{ mute: (name: string) => void, report: (id: number) => void }} acts
 */
export function lineElement(line, isOwn, acts) {
  const name = h("b", {}, isOwn ? t("You") : line.by);
  const text = h("span", { dir: "auto" }, textOf(line));
  if (isOwn) return h("div.chat-line.is-own", {}, name, " ", text);
  const actions = h(
    "span.chat-acts",
    { hidden: true },
    h(
      "button.button.small.quiet",
      { type: "button", "aria-label": t("Mute {name}", { name: line.by }), onclick: () => acts.mute(line.by) },
      t("Mute"),
    ),
    h(
      "button.button.small.quiet",
      {
        type: "button",
        "aria-label": t("Report this message by {name}", { name: line.by }),
        onclick: () => {
          acts.report(line.id);
          show(false);
          more.focus();
        },
      },
      t("Report"),
    ),
  );
  const more = h(
    "button.chat-more",
    {
      type: "button",
      "aria-expanded": "false",
      "aria-label": t("Options for a message by {name}", { name: line.by }),
      onclick: () => show(Boolean(actions.hidden)),
    },
    "⋯",
  );
  /** @param {boolean} on */
  function show(on) {
    actions.hidden = !on;
    more.setAttribute("aria-expanded", String(on));
  }
  return h("div.chat-line", {}, name, " ", text, more, actions);
}
