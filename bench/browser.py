"""The cost of the pages in a real Chromium.

    python -m bench.browser

- A flood over a board of 100x100 cells: what a frame costs the page's main thread, beside drawing
  all cells anew in each frame (as images, one by one), in the same page of the same run. First a
  real one: a click, and all that the server's answer makes the page do.
- The match page with the processor throttled four times: until the board is drawn and takes input;
  and the processor time that its main thread needs for that, not throttled.
- Clicks in a match with the processor throttled four times: from the input to the next paint.
- The front page: bytes over the wire, how far its parts jump while it loads (CLS); and from "Play
  now" to a race that runs against a house bot.

Here and on most servers Chromium draws in software; the figures are of the main thread's own work.
"""

from __future__ import annotations

import json
import re
import statistics
import tempfile
import time
from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from tests import chromium
from tests.running_site import RunningSite, new_site
from tests.web.matches import at, say, solo

BUDGET_MS = 1000 / 60
ROUNDS = 5
THROTTLE = 4
TASKS = "disabled-by-default-devtools.timeline"

# All cells closed.
CLOSE = """
async (frame) => {
  const { board } = frame;
  const { width, height } = board.state.wanted;
  const [faces, owners] = [10, 255].map((value) => new Uint8Array(width * height).fill(value));
  board.show({ width, height, faces, owners });
  for (let n = 0; n < 3; n++) await new Promise((done) => requestAnimationFrame(done));
}
"""

# A flood from a corner over the whole field, as a match shows it; resolves when all is still.
FLOOD = """
async ([frame, area]) => {
  const { board } = frame;
  const { width, height } = board.state.wanted;
  const faces = new Uint8Array(width * height);
  const owners = new Uint8Array(width * height).fill(area ? 1 : 255);
  faces.forEach((_, cell) => (faces[cell] = area ? 15 : (cell * 7) % 4));
  const before = { ...board.state.drawn };
  board.show({ width, height, faces, owners }, { wave: area ? "claim" : "open", origin: 0 });
  while (board.state.motion.waves.length || board.state.motion.effects.length) {
    await new Promise((done) => requestAnimationFrame(done));
  }
  const { frames, cells } = board.state.drawn;
  return { cells: cells - before.cells, frames: frames - before.frames };
}
"""

# Resolves when the flood that a click brings is over.
CLICKED = """
async (frame) => {
  const { motion, drawn } = frame.board.state;
  const before = { ...drawn };
  const next = () => new Promise((done) => requestAnimationFrame(done));
  while (!motion.waves.length) await next();
  while (motion.waves.length || motion.effects.length) await next();
  return { cells: drawn.cells - before.cells, frames: drawn.frames - before.frames };
}
"""

# The peer: every frame draws every cell, as one does first.
NAIVE = """
async (frame) => {
  const { board } = frame;
  const { width, height, cell } = { ...board.state.viewport, ...board.state.wanted };
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = cell * width;
  const ctx = canvas.getContext("2d");
  const sprites = Array.from({ length: 4 }, (_, i) => {
    const sprite = document.createElement("canvas");
    sprite.width = sprite.height = cell;
    const to = sprite.getContext("2d");
    to.fillStyle = `rgb(${200 - 40 * i} 200 200)`;
    to.fillRect(0, 0, cell, cell);
    to.fillStyle = "black";
    to.fillText(String(i), 2, cell - 2);
    return sprite;
  });
  frame.append(canvas);
  for (let n = 0; n < 30; n++) {
    await new Promise((done) => requestAnimationFrame(done));
    for (let i = 0; i < width * height; i++) {
      ctx.drawImage(sprites[(i + n) % 4], (i % width) * cell, Math.floor(i / width) * cell);
    }
  }
  canvas.remove();
  return { cells: 30 * width * height, frames: 30 };
}
"""

# Called when the board is there and its socket takes commands.
WATCH_READY = """
new MutationObserver((_, watcher) => {
  const frame = document.querySelector(".board-frame");
  if (document.body?.dataset.link !== "open" || !frame?.board?.state.drawn.frames) return;
  watcher.disconnect();
  performance.mark("ready");
}).observe(document, { subtree: true, childList: true, attributes: true });
"""


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def frame_costs(trace: bytes) -> list[float]:
    """Processor time of the page's main thread in each frame, in ms: script, style, layout, paint
    and all else that it did until the next frame. It does not grow when others use the machine."""
    return [cost for cost, _ in frames_of(trace)]


def frames_of(trace: bytes) -> list[tuple[float, float]]:
    """Of each frame what it cost, and how long it was until the next one, in ms."""
    events = [e for e in json.loads(trace)["traceEvents"] if e["ph"] == "X" and "tdur" in e]
    scripts = [e for e in events if e["name"] == "FireAnimationFrame"]
    thread = statistics.mode((e["pid"], e["tid"]) for e in scripts)
    starts = sorted(e["ts"] for e in scripts if (e["pid"], e["tid"]) == thread)
    begins = [start for n, start in enumerate(starts) if n == 0 or start - starts[n - 1] > 2000]
    costs = [0.0] * len(begins)
    for e in events:
        if e["name"] == "RunTask" and (e["pid"], e["tid"]) == thread:
            # The task in which a frame begins is that frame's.
            frame = bisect_right(begins, e["ts"] + e["dur"]) - 1
            if frame >= 0:
                costs[frame] += e["tdur"] / 1000
    gaps = [(b - a) / 1000 for a, b in pairwise(begins)]
    return list(zip(costs, [*gaps, 0.0], strict=True))


def frames(browser: Browser, url: str) -> None:
    page = browser.new_context(base_url=url, viewport={"width": 1280, "height": 1000}).new_page()
    solo(page, width=100, height=100, mines=100)
    frame = page.locator(".board-frame").element_handle()

    def measure(name: str, script: str, argument: Any, click: int | None = None) -> None:
        if click is None:
            page.evaluate(CLOSE, frame)
        browser.start_tracing(page=page, categories=["devtools.timeline", TASKS])
        if click is not None:
            page.mouse.click(*at(page, click))
        told = page.evaluate(script, argument)
        costs = frame_costs(browser.stop_tracing())
        median, worst = statistics.median(costs), percentile(costs, 0.99)
        cells = told["cells"] / told["frames"]
        print(f"  {name:28} {median:>6.1f} ms {worst:>6.1f} ms {cells:>12,.0f} {len(costs):>7}")

    print(f"A flood over 100x100 cells; a frame may cost {BUDGET_MS:.1f} ms at 60 a second")
    print(f"  {'main thread, a frame':28} {'median':>9} {'p99':>9} {'cells':>12} {'frames':>7}")
    measure("a click", CLICKED, frame, click=5050)
    for again in ("", " again"):
        measure("opened" + again, FLOOD, [frame, False])
        measure("claimed by another" + again, FLOOD, [frame, True])
    measure("peer: all cells each frame", NAIVE, frame)
    page.context.close()


PAGES: dict[str, dict[str, Any]] = {
    "classic 30x16": {"type": "solo", "options": {"width": 30, "height": 16, "mines": 99}},
    "classic 100x100": {"type": "solo", "options": {"width": 100, "height": 100, "mines": 1500}},
    **{
        mode: {"type": "queue", "wishes": [{"mode": mode, "size": 2}], "bot": True}
        for mode in ("race", "area-attack", "battleship")
    },
}


def interactive(browser: Browser, url: str) -> None:
    print(f"Match page until it takes input, processor throttled {THROTTLE}x; bar 1000 ms")
    print(f"  {'':20} {'median':>8} {'worst':>8} {'not throttled':>14} {'main thread':>12}")
    for name, message in PAGES.items():
        context = browser.new_context(base_url=url)
        page = context.new_page()
        page.add_init_script(WATCH_READY)
        solo(page)  # the page of a match does not go to the next one by itself
        address = say(page, message, "matched")["url"]
        session = context.new_cdp_session(page)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        ready(page, address)
        free, work = [], []
        for _ in range(ROUNDS):
            free.append(ready(page, address))
            work.append(main_thread(session))
        session.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE})
        times = [ready(page, address) for _ in range(ROUNDS)]
        print(
            f"  {name:20} {statistics.median(times):>5.0f} ms {max(times):>5.0f} ms"
            f" {statistics.median(free):>11.0f} ms {statistics.median(work):>9.0f} ms"
        )
        context.close()


def main_thread(session: CDPSession) -> float:
    """Processor time that the page's main thread has used since its navigation, in ms."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(m["value"] for m in metrics if m["name"] == "TaskDuration") * 1000


def ready(page: Page, address: str) -> float:
    """Milliseconds from the navigation's start until the page takes input."""
    page.goto(address)
    page.wait_for_function("() => performance.getEntriesByName('ready').length > 0")
    return page.evaluate("performance.getEntriesByName('ready')[0].startTime")


# Each input's time until the next paint, in ms, as the browser itself measures it.
WATCH_INPUTS = """
window.inputs = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (entry.interactionId) inputs.push(entry.duration);
}).observe({ type: "event", durationThreshold: 16, buffered: true });
"""
INPUTS = 60
INPUT_BAR_MS = 100


def interactions(browser: Browser, url: str) -> None:
    context = browser.new_context(base_url=url, viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.add_init_script(WATCH_INPUTS)
    solo(page, width=30, height=16, mines=99)
    session = context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE})
    for cell in range(INPUTS):  # flags: each changes the board, none ends the game
        page.mouse.click(*at(page, cell * 7 % 480), button="right")
        page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")
    slow = page.evaluate("inputs")
    context.close()
    # An input shorter than the threshold isn't told.
    told = sorted([*slow, *[0.0] * max(0, INPUTS - len(slow))])
    print(f"Inputs in a match, processor throttled {THROTTLE}x; bar {INPUT_BAR_MS} ms")
    print(f"  {len(told)} inputs: p98 {percentile(told, 0.98):.0f} ms, worst {told[-1]:.0f} ms")


# The browser's own sum of how far parts of the page jumped.
WATCH_SHIFTS = """
window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""


def front(browser: Browser, url: str) -> None:
    for name, width, height in (("desktop", 1280, 800), ("phone", 390, 844)):
        context = browser.new_context(base_url=url, viewport={"width": width, "height": height})
        page = context.new_page()
        page.add_init_script(WATCH_SHIFTS)
        page.goto("/", wait_until="networkidle")
        shift = page.evaluate("window.shift")
        print(f"Front page, {name}: layout shift {shift:.3f}; bar 0.02")
        context.close()
    context = browser.new_context(base_url=url)
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Network.enable")
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto("/", wait_until="networkidle")
    context.close()
    print("Front page")
    weight = sum(sizes) / 1000
    print(f"  over the wire, no cache   {weight:>6.0f} kB, {len(sizes)} requests; bar 90 kB")
    rounds = [first_match(browser, url) for _ in range(ROUNDS)]
    whole = [sum(steps.values()) for steps in rounds]
    median, worst = statistics.median(whole), max(whole)
    print(f"  click to a running race   {median:>6.1f} s, worst {worst:.1f} s; bar 10 s")
    for name in rounds[0]:
        print(f"    {name:23} {statistics.median(steps[name] for steps in rounds):>6.1f} s")


def first_match(browser: Browser, url: str) -> dict[str, float]:
    """A stranger's one click to a match that runs against a house bot: seconds of each step."""
    context = browser.new_context(base_url=url)
    page = context.new_page()
    page.goto("/", wait_until="networkidle")
    times = [time.monotonic()]
    page.get_by_role("link", name="Play now").click()
    page.wait_for_url(re.compile(r"/match/[a-z0-9]{12}/$"), wait_until="commit")
    times.append(time.monotonic())
    page.locator("#match[data-phase=live]").wait_for()
    times.append(time.monotonic())
    context.close()
    names = ("a match is made", "it runs")
    return {name: b - a for name, (a, b) in zip(names, pairwise(times), strict=True)}


@contextmanager
def running() -> Iterator[tuple[RunningSite, Browser]]:
    path = chromium.find()
    if path is None:
        raise SystemExit("No Chromium: see tests/chromium.py")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        site = new_site(Path(folder) / "var")
        site.start()
        browser = playwright.chromium.launch(executable_path=path, args=chromium.ARGUMENTS)
        try:
            yield site, browser
        finally:
            browser.close()
            site.stop()


def main() -> None:
    with running() as (site, browser):
        frames(browser, site.url)
        interactive(browser, site.url)
        interactions(browser, site.url)
        front(browser, site.url)


if __name__ == "__main__":
    main()
