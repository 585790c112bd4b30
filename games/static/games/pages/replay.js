// The replay of a finished match: boards, playhead, views, and downloads.

import { announce } from "site/announce.js";
import { closest, pageData } from "site/dom.js";
import { t } from "site/i18n.js";
import { toast } from "site/toast.js";

import { positionCode } from "../board/position.js";
import { createFold } from "../fold/fold.js";
import { createTexts } from "../match/texts.js";
import { clockText } from "../match/time.js";
import { hasPart, loadPart } from "../modes.js";
import { loadPrefs } from "../prefs.js";
import { loadAnalysis } from "../replay/analysis.js";
import { cellsOf, createDescriber, labelText } from "../replay/describe.js";
import { momentHash, readMoment } from "../replay/moment.js";
import { createPlayhead } from "../replay/playhead.js";
import { createPlots } from "../replay/plots.js";
import { createStage } from "../replay/stage.js";
import { createTrack } from "../replay/track.js";
import { verify } from "../replay/verify.js";

/** @import { Position } from "games/board/position.js" */
/** @import { GameEvent, MatchParts, ModeTexts } from "games/match/types.d.ts" */
/** @import { Judgement, ModeReplay, Replay, ReplayPage } from "games/replay/types.d.ts" */

/** @param {string} id @returns {any} */
const $ = (id) => document.getElementById(id);
/** @type {ReplayPage} */
const page = pageData();

/** @param {number} ms */
const clock = (ms) => clockText(ms, { tenths: true });

/** The largest board that the analyser takes. */
const MOST_CELLS = 2500;

/** The maximum number of requests for the data while the server still computes it. */
const MOST_TRIES = 8;

/** @returns {Promise<Replay>} */
async function load(tries = 1) {
  const answer = await fetch(page.urls.data);
  if (answer.ok) return answer.json();
  const wait = Number(answer.headers.get("Retry-After") ?? 0);
  if (answer.status === 503 && wait < 60 && tries < MOST_TRIES) {
    $("caption").textContent = t("The replay is being prepared…");
    await new Promise((resolve) => setTimeout(resolve, Math.max(1, wait) * 1000 * tries));
    return load(tries + 1);
  }
  throw new Error(
    answer.status === 410
      ? t("This match was played under rules that are too old to replay.")
      : answer.status === 413
        ? t("This match is too long to replay. You can download its log.")
        : t("The replay didn’t load. Please try again."),
  );
}

/**
 * @param {Replay} replay
 * @param {{ module: ModeReplay | null, fold: MatchParts["fold"], texts: ModeTexts | null }} parts
 */
function begin(replay, { module, fold, texts }) {
  const names = Object.keys(replay.streams);
  const foldView = createFold(fold?.fold);
  replay.tracks = Object.fromEntries(names.map((name) => [name, createTrack(replay.streams[name], foldView)]));
  const views = [...names, "truth"];
  const start = replay.streams.public.start;
  // The generic board draws the common format; a view without it has no board in the browser.
  const mode = hasPart(replay.mode, "replay") || start.game.board ? module : null;
  const describe = createDescriber({
    players: replay.players,
    columns: mode?.columns(start) ?? 1,
    texts: createTexts(texts, page.reasons),
    words: mode?.words && ((tell) => mode.words(tell, replay)),
    start,
  });
  const head = createPlayhead(replay.duration);
  const prefs = loadPrefs(page.preferences);
  const stage = createStage($("replay-stage"), replay, mode, prefs);
  const drawn = mode?.plots?.(replay) ?? [];
  /** @param {number} time */
  const seek = (time) => (head.pause(), head.seek(time), remember());
  const places = { drawings: $("plots"), tables: $("figures") };
  const plots = drawn.length ? createPlots(places, { plots: drawn, duration: replay.duration, prefs, seek }) : null;
  const asked = readMoment();
  const own = page.seat === null ? (mode?.firstView ?? "public") : String(page.seat);
  let view = views.includes(asked.view) ? asked.view : own;
  /** @type {Judgement[]} */
  let judged = [];

  // The truth follows the public stream, unless the mode names another.
  const track = () => replay.tracks[view === "truth" ? (mode?.truthStream ?? "public") : view];

  /** @param {{ why?: string }} [how] */
  function show({ why } = {}) {
    const at = track();
    const before = at.index;
    at.seek(head.time);
    const cells = at.event ? (mode?.framed ?? cellsOf)(at.event) : [];
    stage.show(view, head.time, { moving: why === "play" || why === "step", origin: cells[0] });
    const seat = at.event?.seat ?? (view in replay.players ? Number(view) : 0);
    stage.mark(cells.map((cell) => ({ cell, seat })));
    showAnalyser(stage.position);
    $("time").textContent = clock(head.time);
    $("scrub").value = head.time;
    plots?.show(head.time);
    $("scrub").setAttribute(
      "aria-valuetext",
      t("{time} of {whole}", { time: clock(head.time), whole: clock(replay.duration) }),
    );
    if (at.index === before && why === "play") return;
    const words = describe(at.event);
    $("caption").textContent = words;
    showLabel(at.event);
    $("event-number").textContent = t("{n} of {whole}", { n: at.index, whole: at.length });
    if (why === "step") announce(words);
    const seats = view === "truth" ? replay.players.map((_, seat) => replay.tracks[seat]?.seek(head.time)) : [];
    mode?.scores(at.view, seats).forEach((score, seat) => ($(`score-${seat}`).textContent = score));
  }

  /** @param {GameEvent | null} event */
  function showLabel(event) {
    // All events of a moment are one step, and the last of them (a percentage, the end) may not name the
    // cell.
    const moment = track().timeOf(track().index);
    const marks = event ? judged.filter((mark) => mark.t === moment) : [];
    const found = marks.find((mark) => String(mark.seat) === view) ?? marks[0];
    const badge = $("label");
    badge.hidden = !found;
    if (!found) return;
    const { text, kind } = labelText(found.label);
    badge.textContent =
      found.chance > 0 && found.chance < 1
        ? t("{label}: {percent}% risk of a mine", { label: text, percent: Math.round(found.chance * 1000) / 10 })
        : text;
    badge.className = `badge ${kind}`;
  }

  /** Link to the analyser with the position of this moment. @param {Position | null} position */
  function showAnalyser(position) {
    const link = $("analyse-moment");
    link.hidden = !position || position.cells.length > MOST_CELLS;
    if (position && !link.hidden) link.href = `${page.urls.analyser}?position=${positionCode(position)}`;
  }

  function remember() {
    history.replaceState(null, "", momentHash(head.time, view));
  }

  /** @param {number} by */
  function step(by) {
    head.pause();
    const at = track();
    const target = Math.max(0, Math.min(at.length, at.countAt(head.time) + by));
    // All events of a moment are one step.
    head.seek(at.timeOf(target) - (by < 0 && target === 0 ? 1 : 0));
    if (by < 0 && at.countAt(head.time) > target) head.seek(at.timeOf(target + 1) - 1);
    show({ why: "step" });
    remember();
  }

  /** @param {string} name */
  function choose(name) {
    view = name;
    for (const button of $("views").children) button.setAttribute("aria-pressed", String(button.dataset.view === name));
    show();
    remember();
  }

  head.on("time", show);
  head.on("playing", (playing) => {
    $("play").setAttribute("aria-label", playing ? t("Pause") : t("Play"));
    $("play").classList.toggle("is-playing", playing);
    if (!playing) remember();
  });
  $("play").addEventListener("click", head.toggle);
  $("back").addEventListener("click", () => step(-1));
  $("forward").addEventListener("click", () => step(1));
  $("scrub").max = replay.duration;
  $("scrub").addEventListener("input", () => {
    head.pause();
    head.seek(Number($("scrub").value));
  });
  $("scrub").addEventListener("change", remember);
  $("speed").addEventListener("change", () => head.setSpeed(Number($("speed").value)));
  $("views").addEventListener("click", (/** @type {Event} */ event) => {
    const button = closest(event, "[data-view]");
    if (button) choose(button.dataset.view ?? view);
  });
  $("whole").textContent = clock(replay.duration);
  $("copy-moment").addEventListener("click", async () => {
    remember();
    try {
      await navigator.clipboard.writeText(location.href);
      toast(t("Link to this moment copied."), { kind: "good" });
    } catch {
      toast(t("The address of this page now leads to this moment."));
    }
  });
  addEventListener("hashchange", () => {
    const moment = readMoment();
    if (views.includes(moment.view)) choose(moment.view);
    if (moment.time !== null) head.seek(moment.time);
  });
  document.addEventListener("keydown", (event) => {
    if (
      event.altKey ||
      event.ctrlKey ||
      event.metaKey ||
      closest(event, "input, select, button, a, summary, [role=grid]")
    )
      return;
    const run = {
      " ": head.toggle,
      ArrowRight: () => step(1),
      ArrowLeft: () => step(-1),
      Home: () => head.seek(0),
      End: () => head.seek(replay.duration),
    }[event.key];
    if (!run) return;
    event.preventDefault();
    run();
  });
  startVerify(replay);
  if ($("analysis"))
    loadAnalysis($("analysis"), page.urls.analysis, replay, ({ marks }) => {
      judged = marks;
      showLabel(track().event);
    });
  head.seek(Math.min(asked.time ?? replay.duration, replay.duration));
  choose(view);
  $("replay").removeAttribute("aria-busy");
}

/** @param {Replay} replay */
function startVerify(replay) {
  const [button, result] = [$("verify"), $("verified")];
  button.disabled = false;
  button.addEventListener("click", async () => {
    if (!globalThis.crypto?.subtle) {
      result.textContent = t("Your browser can only check this over https.");
      return;
    }
    const { good, seal, shown, noted } = await verify(replay);
    result.className = `notice ${good ? "good" : "bad"}`;
    const too = noted ? t("Your browser recorded the same seal during the match.") : "";
    result.textContent = good
      ? t(
          "Verified: the SHA-256 hash of the seed is {seal}, which every player was shown before the first move. The board wasn’t changed.",
          { seal },
        ) + ` ${too}`
      : t("The seed gives {seal}, but the players were shown {shown}.", { seal, shown });
  });
}

const parts = Promise.all(["replay", "fold", "texts"].map((part) => loadPart(page.mode, part)));

Promise.all([load(), parts]).then(
  ([replay, [module, fold, texts]]) => begin(replay, { module, fold, texts }),
  (error) => {
    $("caption").textContent = error.message;
    $("replay").removeAttribute("aria-busy");
  },
);
