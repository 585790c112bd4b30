// Lets a player follow, challenge or block each opponent with one tap after a match, or report them.

import { h } from "site/dom.js";
import { errorText, t } from "site/i18n.js";

import { followButton } from "../lobby/follow.js";
import { lobby } from "../lobby/shared.js";

/** @import { MatchData, Session } from "games/match/types.d.ts" */

/** @type {Record<string, (name: string) => string>} */
const CHALLENGE = {
  open: (name) => t("You challenged {name}. Waiting for an answer…", { name }),
  declined: (name) => t("{name} declined your challenge.", { name }),
  expired: (name) => t("{name} didn’t answer.", { name }),
  accepted: (name) => t("{name} accepted. The match is starting.", { name }),
};

const KEPT = (/** @type {string} */ name) => t("{name} is away. Your challenge is open for a day.", { name });

/**
 * A line per other player, except house bots and players without an account.
 * @param {Session} session
 * @param {MatchData} data
 */
export function opponents(session, data) {
  if (!data.user) return null;
  const lines = data.players.flatMap((player, seat) =>
    seat === session.seat || !player.account || player.kind === "house" ? [] : [line(player, player.account)],
  );
  return lines.length ? h("ul.opponents", { "aria-label": t("The other players") }, lines) : null;

  /** @param {MatchData["players"][0]} player @param {string} name */
  function line({ kind, following }, name) {
    const socket = lobby();
    const state = h("span.soft.small-text", { role: "status" });
    const challenge = h("button.button.small", { type: "button" }, t("Challenge"));
    const canFollow = data.user?.kind === "registered" && (kind === "registered" || kind === "bot");
    const follow = canFollow ? followButton(socket, name, following, state) : null;
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
      socket.send({ type: "challenge", to: name, mode, options, rated, keep: true });
    });
    block.addEventListener("click", () => {
      const blocked = block.getAttribute("aria-pressed") === "true";
      socket.send({ type: blocked ? "unblock" : "block", name });
    });
    socket.follow("challenge", ({ from, to, status, kept }) => {
      if (from !== data.user?.name || to !== name) return;
      challenge.disabled = status === "open" || status === "accepted";
      state.textContent = (kept && status === "open" ? KEPT : CHALLENGE[status])?.(name) ?? "";
    });
    socket.on("blocks", ({ names }) => {
      const blocked = names.includes(name);
      block.setAttribute("aria-pressed", String(blocked));
      challenge.disabled = blocked;
      state.textContent = blocked ? t("You won’t be matched with {name} again.", { name }) : "";
    });
    socket.on("error", (message) => {
      const ours = ["challenge", "block", "unblock", "follow", "unfollow"];
      if (ours.includes(message.for ?? "")) state.textContent = errorText(message);
    });
    return h("li", {}, h("b", {}, name), h("span.row", {}, follow, challenge, block, report), state);
  }
}
