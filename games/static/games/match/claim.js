// Lets a player claim the win, or wait, when the opponent has been gone for too long.

import { h, toggle } from "site/dom.js";
import { t } from "site/i18n.js";

/** @import { Session } from "games/match/types.d.ts" */

/** @param {Session} session */
export function createClaim(session) {
  const button = h(
    "button.button.primary",
    { type: "button", onclick: () => session.act({ type: "claim_win" }) },
    t("Claim the win"),
  );
  const text = h("p");
  const element = h("div.notice.warn.claim", { hidden: true }, h("div.stack", {}, text, button));
  return {
    element,
    update() {
      const { view, seat } = session;
      const others = view.seats.filter((other, i) => i !== seat && other.retired === null);
      const may = session.playing && view.phase === "live" && others.length === 1 && others[0].claimable;
      toggle(element, may);
      if (may)
        text.textContent = t("{name} is gone. You can claim the win or wait.", {
          name: session.name(view.seats.indexOf(others[0])),
        });
    },
  };
}
