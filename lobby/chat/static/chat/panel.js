// The chat of a room. Beside a match it is in the sidebar, or on a phone below the board, behind a button.

import { announce } from "site/announce.js";
import { h, icon, setText, toggle } from "site/dom.js";
import { errorText, n, t } from "site/i18n.js";

import { lobby } from "games/lobby/shared.js";

import { lineElement, textOf } from "./line.js";
import { FITTING, phraseText } from "./phrases.js";
import { createRoom } from "./room.js";

/** @import { ChatLine, ChatPlace } from "chat/types.d.ts" */

/** @typedef {ReturnType<typeof createRoom>} Room */
/** @typedef {Awaited<ReturnType<typeof createChat>>} Chat */

const LONGEST = 200;

/** @param {string} address */
function loadStyle(address) {
  return new Promise((resolve) => {
    if (document.querySelector("link[data-chat]")) return resolve(null);
    document.head.append(
      h("link", { rel: "stylesheet", href: address, "data-chat": true, onload: resolve, onerror: resolve }),
    );
  });
}

/** @param {ChatPlace} place */
export async function createChat({ room: own, later = "", hint, me, style, after, head, root, phase }) {
  await loadStyle(style);
  const socket = lobby();
  /** @type {Record<string, Room>} */
  const rooms = { [own]: createRoom(socket, own) };
  let shown = own;
  let unread = 0;
  let isOpen = false; // on a phone
  /** @type {string[] | null} */
  let offered = null; // the phrases on the buttons

  const log = h("div.chat-log", { role: "log", "aria-live": "polite", "aria-label": t("Messages"), tabIndex: 0 });
  const empty = h("p.soft.small-text", {}, hint);
  const phrases = h("div.chat-phrases", { role: "group", "aria-label": t("Quick phrases") });
  const input = h("input.input", {
    name: "message",
    maxLength: LONGEST,
    autocomplete: "off",
    enterKeyHint: "send",
    placeholder: t("Write a message"),
    "aria-label": t("Message"),
  });
  const send = h("button.button.small", {}, t("Send"));
  const form = h("form.chat-form", { hidden: true, onsubmit: submit }, input, send);
  const state = h("p.chat-state.small-text", { role: "status" });
  const muted = h("p.chat-muted.small-text", { hidden: true });
  const tabs = h("div.chat-tabs", { role: "group", "aria-label": t("Room"), hidden: true });
  const close = h(
    "button.button.quiet.icon-only.chat-close",
    { type: "button", "aria-label": t("Close"), onclick: () => open(false) },
    icon("close"),
  );
  const element = h(
    "section.chat",
    { id: "chat", "aria-label": t("Chat"), hidden: true },
    h("div.chat-head", {}, h("h2", {}, t("Chat")), tabs, head ? close : null),
    log,
    muted,
    phrases,
    form,
    state,
  );
  const badge = h("span.chat-unread", { hidden: true });
  const button = h(
    "button.button.quiet.icon-only.chat-button",
    { type: "button", "aria-controls": "chat", "aria-expanded": "false", onclick: () => open(!isOpen) },
    icon("chat"),
    badge,
  );

  // The keys of the board are not for a player who writes.
  element.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && isOpen) open(false);
    event.stopPropagation();
  });
  // A phrase by mouse leaves the focus on the board.
  phrases.addEventListener("mousedown", (event) => event.preventDefault());

  /** @param {boolean} on */
  function open(on) {
    isOpen = on;
    unread = on ? 0 : unread;
    element.classList.toggle("is-open", on);
    root.classList.toggle("has-chat", on);
    button.setAttribute("aria-expanded", String(on));
    if (on) (form.hidden ? (phrases.querySelector("button") ?? close) : close).focus({ preventScroll: true });
    else button.focus({ preventScroll: true });
    update();
    log.scrollTop = log.scrollHeight;
  }

  const isVisible = () => element.getClientRects().length > 0;

  /** @param {SubmitEvent} event */
  function submit(event) {
    event.preventDefault();
    const text = input.value.trim();
    if (text) say({ text });
  }

  /** @param {{ phrase: string } | { text: string }} said */
  function say(said) {
    setText(state, "");
    rooms[shown].say(said);
  }

  /** @param {Room} room */
  function listen(room) {
    room.on("change", update);
    room.on("refused", (error) => {
      setText(state, errorText(error));
      if (error.code === "chat_after_end") return;
      if (!form.hidden && input.value) input.focus({ preventScroll: true });
    });
    room.on("line", (line) => {
      if (line.by === me) {
        if (line.text !== undefined) input.value = "";
        return;
      }
      if (!room.lines.includes(line) || isVisible()) return;
      unread += 1;
      announce(t("{name}: {text}", { name: line.by, text: textOf(line) }));
      update();
    });
  }

  /** @param {ChatLine[]} lines */
  function showLines(lines) {
    const atEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 40;
    const kept = new Set(lines.map(({ id }) => `${shown}-${id}`));
    for (const child of /** @type {HTMLElement[]} */ ([...log.children])) {
      if (!kept.has(child.dataset.line ?? "")) child.remove();
    }
    lines.forEach((line, at) => {
      const mark = `${shown}-${line.id}`;
      if (/** @type {HTMLElement | undefined} */ (log.children[at])?.dataset.line === mark) return;
      const made = lineElement(line, line.by === me, {
        mute: (name) => rooms[shown].mute(name, true),
        report: (id) => rooms[shown].report(id),
      });
      made.dataset.line = mark;
      log.insertBefore(made, log.children[at] ?? null);
    });
    if (!lines.length) log.replaceChildren(empty);
    if (atEnd) log.scrollTop = log.scrollHeight;
  }

  function showPhrases() {
    const codes = FITTING[phase()];
    if (codes === offered) return;
    offered = codes;
    phrases.replaceChildren(
      ...codes.map((phrase) =>
        h("button.button.small", { type: "button", onclick: () => say({ phrase }) }, phraseText(phrase)),
      ),
    );
  }

  function showMuted() {
    const names = rooms[shown].muted;
    const name = names.at(-1) ?? "";
    toggle(muted, names.length > 0);
    muted.replaceChildren(
      n("{n} player muted.", "{n} players muted.", names.length),
      " ",
      h(
        "button.button.small.quiet",
        { type: "button", onclick: () => rooms[shown].mute(name, false) },
        t("Unmute {name}", { name }),
      ),
    );
  }

  function update() {
    const room = rooms[shown];
    showLines(room.lines);
    showPhrases();
    showMuted();
    toggle(phrases, room.may.phrases);
    toggle(form, room.may.text);
    for (const one of phrases.querySelectorAll("button")) one.disabled = room.isSending;
    send.disabled = room.isSending;
    toggle(badge, unread > 0);
    setText(badge, unread > 9 ? "9+" : String(unread));
    const label = unread ? n("Chat, {n} new message", "Chat, {n} new messages", unread) : t("Chat");
    if (button.title !== label) {
      button.title = label;
      button.setAttribute("aria-label", label);
    }
  }

  /** The match is over and stored: players may read the spectators now. */
  function addSpectators() {
    if (!later || rooms[later]) return;
    rooms[later] = createRoom(socket, later);
    listen(rooms[later]);
    /** @type {[string, string][]} */
    const names = [
      [own, t("Players")],
      [later, t("Spectators")],
    ];
    const choices = names.map(([name, label]) =>
      h(
        "button.button.small.quiet",
        { type: "button", "aria-pressed": String(name === shown), onclick: () => choose(name) },
        label,
      ),
    );
    /** @param {string} name */
    function choose(name) {
      shown = name;
      names.forEach(([one], at) => choices[at].setAttribute("aria-pressed", String(one === name)));
      update();
      log.scrollTop = log.scrollHeight;
    }
    tabs.replaceChildren(...choices);
    tabs.hidden = false;
  }

  const unheard = [
    socket.on("chat_reported", () => setText(state, t("Thank you. A moderator will look into it."))),
    socket.on("error", (error) => {
      if (error.for === "chat_mute" || error.for === "chat_report") setText(state, errorText(error));
    }),
  ];

  listen(rooms[own]);
  after.after(element);
  if (head) head.append(button);
  else element.classList.add("is-open");
  update();
  return {
    update,
    addSpectators,
    /** The player's setting. @param {boolean} on */
    show(on) {
      element.hidden = !on;
      button.hidden = !on;
      if (!on) root.classList.remove("has-chat");
    },
    end() {
      for (const room of Object.values(rooms)) room.close();
      for (const stop of unheard) stop();
      element.remove();
      button.remove();
    },
  };
}
