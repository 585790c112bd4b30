// The bell in the header: the number of unread notifications, and a list of the newest ones when it is opened.
// New ones arrive over the lobby's socket.

import { callBack } from "site/call.js";
import { find, h, icon, toggle } from "site/dom.js";
import { n, t } from "site/i18n.js";
import { toast } from "site/toast.js";

/** @import { LobbySocket } from "games/lobby/socket.js" */

/** @typedef {{ id: number, title: string, body: string, icon: string, url: string, at: number, read: boolean }} Shown */

/** @param {number} at */
function ago(at) {
  const minutes = Math.round((at - Date.now()) / 60_000);
  const format = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" });
  if (minutes > -60) return format.format(minutes, "minute");
  const hours = Math.round(minutes / 60);
  return hours > -24 ? format.format(hours, "hour") : format.format(Math.round(hours / 24), "day");
}

/** @param {LobbySocket} socket */
export function startBell(socket) {
  /** @type {HTMLDetailsElement | null} */
  const bell = document.querySelector("[data-bell]");
  if (!bell) return;
  const count = find("[data-bell-count]", bell);
  const list = find("[data-bell-list]", bell);
  const summary = find("summary", bell);
  const { now = "", read = "" } = bell.dataset;
  let unread = Number(count.textContent);
  let greeted = false;

  /** @param {number} number */
  function show(number) {
    unread = number;
    count.textContent = number > 99 ? "99+" : String(number);
    toggle(count, number > 0);
    const label = number ? n("{n} unread notification", "{n} unread notifications", number) : "";
    summary.setAttribute("aria-label", label || (summary.dataset.label ?? ""));
  }

  /** @param {Record<string, string>} about what to mark as read; nothing: all */
  async function mark(about) {
    /** @type {HTMLInputElement | null} */
    const token = document.querySelector("input[name=csrfmiddlewaretoken]");
    if (!token) return;
    const body = new URLSearchParams(about);
    const headers = { "X-CSRFToken": token.value, Accept: "application/json" };
    const answer = await fetch(read, { method: "POST", headers, body }).catch(() => /** @type {null} */ (null));
    if (answer?.ok) show((await answer.json()).unread);
  }

  /** @param {Shown} shown */
  function line({ title, body, icon: name, url, at, read: isRead }) {
    const text = h(
      "span.bell-text",
      {},
      h("span", {}, title),
      body ? h("span.soft.small-text", {}, body) : null,
      h("span.soft.small-text", {}, ago(at)),
    );
    const what = url ? "a" : "span";
    return h(`${what}.bell-item${isRead ? "" : ".is-unread"}`, url ? { href: url } : {}, icon(name), text);
  }

  /** @returns {Promise<{ unread: number, notifications: Shown[] } | null>} */
  async function ask() {
    const answer = await fetch(now, { headers: { Accept: "application/json" } }).catch(
      () => /** @type {null} */ (null),
    );
    return answer?.ok ? answer.json() : null;
  }

  async function fill() {
    const found = await ask();
    if (!found) {
      list.replaceChildren(h("p.soft", {}, t("The site didn’t respond. Please try again.")));
      return;
    }
    const { notifications } = found;
    list.replaceChildren(...(notifications.length ? notifications.map(line) : [h("p.soft", {}, t("Nothing new."))]));
    show(found.unread);
    if (found.unread) mark({ up_to: String(Math.max(...notifications.map(({ id }) => id))) });
  }

  bell.addEventListener("toggle", () => bell.open && fill());
  socket.on("notification", ({ unread: number, texts, url, tag, alerts }) => {
    const [title, body] = texts[document.documentElement.lang] ?? texts.en;
    // The page that it leads to shows it by itself.
    if (url === location.pathname && url) {
      mark({ url });
      return;
    }
    show(number);
    if (bell.open) fill();
    if (!alerts) return;
    toast(title, { seconds: 8, action: url ? { label: t("Show"), href: url } : null });
    callBack({ text: title, body, url: url || location.pathname, tag });
  });
  // After a broken connection some may have been missed.
  socket.on("hello", async () => {
    const found = greeted ? await ask() : null;
    greeted = true;
    if (found) show(found.unread);
  });
  show(unread);
  if (unread) mark({ url: location.pathname });
}
