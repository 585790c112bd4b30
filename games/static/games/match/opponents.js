// Lets a player challenge or block each opponent with one tap after a match, or report them.

import { h } from "site/dom.js";
import { errorText, t } from "site/i18n.js";

import { lobby } from "../lobby/shared.js";

/** @import { MatchData, Session } from "games/match/types.d.ts" */

/** @type {Record<string, (name: string) => string>} */
const CHALLENGE = {
  open: (name) => t("You challenged {name}. Waiting for an answer…", { name }),
  declined: (name) => t("{name} declined your challenge.", { name }),
  expired: (name) => t("{name} didn’t answer.", { name }),
  accepted: (name) => t("{name} accepted. The match is starting.", { name }),
};

/**
 * A line per other player, except house bots and players without an account.
 * @param {Session} session
 * @param {MatchData} data
 */
export function opponents(session, data) {
  if (!data.user) return null;
  const lines = data.players.flatMap((player, seat) =>
    seat === session.seat || !player.account || player.kind === "house" ? [] : [line(player.account)],
  );
  return lines.length ? h("ul.opponents", { "aria-label": t("The other players") }, lines) : null;

  /** @param {string} name */
  function line(name) {
    const socket = lobby();
    const state = h("span.soft.small-text", { role: "status" });
    const challenge = h("button.button.small", { type: "button" }, t("Challenge"));
    const block = h("button.button.small.quiet", { type: "button", "aria-pressed": "false" }, t("Block"));
    const query = new URLSearchParams({ player: name, match: data.match.id });
    const report = h(
      "a.button.small.quiet",
      { href: `${data.urls.report}?${query}`, "aria-label": t("Report {name}", { name }) },
      t("Report"),
    );
    challenge.setAttribute("aria-label", t("Challenge {name}", { name }));
    block.setAttribute("aria-label", t("Block {name}", { name }));
    challenge.addEventListener("click", () => {
      const { mode, options, rated } = data.match;
      socket.send({ type: "challenge", to: name, mode, options, rated });
    });
    block.addEventListener("click", () => {
      const blocked = block.getAttribute("aria-pressed") === "true";
      socket.send({ type: blocked ? "unblock" : "block", name });
    });
    socket.follow("challenge", ({ from, to, status }) => {
      if (from !== data.user?.name || to !== name) return;
      challenge.disabled = status === "open" || status === "accepted";
      state.textContent = CHALLENGE[status]?.(name) ?? "";
    });
    socket.on("blocks", ({ names }) => {
      const blocked = names.includes(name);
      block.setAttribute("aria-pressed", String(blocked));
      challenge.disabled = blocked;
      state.textContent = blocked ? t("You won’t be matched with {name} again.", { name }) : "";
    });
    socket.on("error", (message) => {
      if (["challenge", "block", "unblock"].includes(message.for ?? "")) state.textContent = errorText(message);
    });
    return h("li", {}, h("b", {}, name), h("span.row", {}, challenge, block, report), state);
  }
}
