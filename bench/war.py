"""The cost of a frame of MineWars: Mayhem with six players, seen by one of them, with floods.

    python -m bench.war

House bots play on the engine alone; what seat 0 is told is then played to a real match page by a
socket of its own, with a flood over hundreds of tiles every second. Each frame is told what happens
in a sixtieth of a second, however late it comes: on a busy machine without a graphics card the time
until the next frame tells more of the machine than of the page. The figure is the processor time of
the page's main thread (script, style, layout, paint) for each frame, the processor throttled twice.
Beside it the floor: two bare canvases as large as the map's, on which each frame draws one tile.

Then the page of a Duel: its weight over the wire, and the time until its first view is drawn.
"""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable
from random import Random
from typing import Any

from playwright.sync_api import Browser, Page

from bench.browser import ROUNDS, TASKS, WATCH_READY, frames_of, ready, running
from games.bots.roster import ROSTER
from games.engine.game import Addressed, Input
from games.modes.minewars.bot.simulation import Match
from tests.running_site import RunningSite
from tests.web.matches import frame_of, made, seated

THROTTLE = 2
VIEW_THROTTLE = 4
FROM_MS, LASTS_MS = 25_000, 12_000
SEATS = 6
FRAME_MS = 1000 / 60

# Plays what was recorded to the page, as the server would.
SOCKET = """
(({ welcome, view, frames, from }) => {
  const Real = window.WebSocket;
  class Recorded {
    static OPEN = 1;
    readyState = 1;
    constructor() { setTimeout(() => this.onopen?.({}), 0); }
    tell(messages) { this.onmessage?.({ data: JSON.stringify(messages) }); }
    send(text) {
      const message = JSON.parse(text);
      if (message.type === "ping") this.tell([{ type: "pong", at: message.at, now: Date.now() }]);
      if (message.type !== "hello") return;
      const began = Date.now();
      view.origin = began - from;
      this.tell([{ ...welcome, now: began }, { type: "view", n: 0, view }]);
      let told = 0;
      window.tell = (t) => {
        while (told < frames.length && frames[told][0] <= from + t) this.tell(frames[told++][1]);
        return told < frames.length;
      };
    }
    close() {}
  }
  window.WebSocket = function (url, ...rest) {
    return url.includes("/ws/match/") ? new Recorded() : new Real(url, ...rest);
  };
  window.WebSocket.OPEN = 1;
})
"""

# Frame by frame until all is told.
PLAY = """
async ({ frame, pans }) => {
  const board = document.querySelector(".board-frame").board;
  for (let n = 0; window.tell(n * frame); n++) {
    if (pans) board.pan(Math.round(7 * Math.cos(n / 40)), Math.round(7 * Math.sin(n / 40)));
    await new Promise(requestAnimationFrame);
  }
}
"""

# The cost of any canvas of this size here, without a page around it.
BARE = """
async ({ width, height, frames }) => {
  const layers = ["land", "above"].map(() => {
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    canvas.style.cssText = "position: absolute; inset: 0; will-change: transform";
    document.body.append(canvas);
    return canvas.getContext("2d");
  });
  for (let n = 0; n < frames; n++) {
    for (const ctx of layers) ctx.fillRect((n * 7) % width, (n * 3) % height, 16, 16);
    await new Promise(requestAnimationFrame);
  }
}
"""


class Recorded(Match):
    """A match of bots that notes what seat 0 is told."""

    def __init__(self, seed: int) -> None:
        super().__init__({"preset": "mayhem"}, [ROSTER[-1]] * SEATS, seed)
        self.told: list[tuple[int, dict[str, Any]]] = []
        apply = self.rules.apply

        def noting(state: Any, given: Input) -> list[Addressed]:
            out = apply(state, given)
            self.told += [(self.now, one.event) for one in out if 0 in one.to]
            return out

        self._noting = noting

    def _apply(self, given: Input) -> None:
        rules, self.rules = self.rules, _Noting(self.rules, self._noting)
        super()._apply(given)
        self.rules = rules


class _Noting:
    def __init__(self, rules: Any, apply: Callable[..., Any]) -> None:
        self._rules, self.apply = rules, apply

    def __getattr__(self, name: str) -> Any:
        return getattr(self._rules, name)


def recorded(seed: int = 3) -> dict[str, Any]:
    """The view at FROM_MS and what came in the time after it, with floods."""
    match = Recorded(seed)
    match.play(FROM_MS)
    begins = match.now
    view = match.rules.view(match.state, 0)
    match.told.clear()
    match.play(begins + LASTS_MS)
    events = [(t, event) for t, event in match.told if event["type"] != "over"]
    events += _floods(match, view["game"]["tiles"], begins)
    events.sort(key=lambda one: one[0])
    frames: list[tuple[int, list[dict[str, Any]]]] = []
    for n, (t, event) in enumerate(events, 1):
        message = {"type": "event", "n": n, "t": t, "event": event}
        if frames and frames[-1][0] == t:
            frames[-1][1].append(message)
        else:
            frames.append((t, [message]))
    players = [{"name": f"Player {n + 1}", "kind": "guest", "user": None} for n in range(SEATS)]
    welcome = {
        "type": "welcome", "version": 1, "match": "recorded", "mode": "minewars", "seat": 0,
        "players": players, "rated": False, "source": "queue", "previous": None, "spectators": 0,
    }  # fmt: skip
    return {"welcome": welcome, "view": view, "frames": frames, "from": begins}


def _floods(match: Match, tiles: list[int], begins: int) -> list[tuple[int, dict[str, Any]]]:
    """Every second somebody takes all land within eight tiles of a spot in sight."""
    random = Random(1)
    topo = match.state.game.topo
    seen = [cell for cell, code in enumerate(tiles) if code >> 3 & 3]
    found = []
    for n in range(LASTS_MS // 1000):
        told: list[int] = []
        for cell in topo.disc(random.choice(seen), 8):
            kind = tiles[cell] & 7
            if 1 <= kind <= 4:
                digit = random.randrange(1, 5) << 20
                told += (cell, kind | 2 << 3 | (n % SEATS + 1) << 5 | digit)
        found.append((begins + n * 1000 + 500, {"type": "tiles", "tiles": told}))
    return found


def war(site: RunningSite, browser: Browser) -> None:
    script = f"({SOCKET})({json.dumps(recorded())})"
    print(f"MineWars, Mayhem with {SEATS} players and floods, processor throttled {THROTTLE}x")
    print(f"  {'':32} {'median':>8} {'p99':>8} {'worst':>8} {'under 16.7 ms':>14} {'frames':>7}")
    for name, pans in (("play", False), ("play, map dragged", True)):
        game = {"mode": "minewars", "kinds": ["guest"] * SEATS, "options": {"preset": "mayhem"}}
        address, sessions = made(site, game)[0]
        context = browser.new_context(base_url=site.url, viewport={"width": 1280, "height": 800})
        page = context.new_page()
        page.add_init_script(script)
        seated(site, page, address, sessions[0])
        frame_of(page).evaluate("frame => frame.board.fit()")
        _print(name, _costs(browser, page, PLAY, {"frame": FRAME_MS, "pans": pans}))
        context.close()
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    size = {"width": 1280, "height": 800, "frames": LASTS_MS * 60 // 1000}
    _print("floor: bare canvases", _costs(browser, page, BARE, size))
    page.close()


def _costs(browser: Browser, page: Page, script: str, argument: dict[str, Any]) -> list[float]:
    throttle = page.context.new_cdp_session(page)
    throttle.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE})
    browser.start_tracing(page=page, categories=["devtools.timeline", TASKS])
    page.evaluate(script, argument)
    return [cost for cost, _ in frames_of(browser.stop_tracing())]


def first_view(site: RunningSite, browser: Browser) -> None:
    game = {"mode": "minewars", "kinds": ["guest"] * 2, "options": {"ban_seconds": 0}}
    address, sessions = made(site, game)[0]
    context = browser.new_context(base_url=site.url)
    page = context.new_page()
    page.add_init_script(WATCH_READY)
    session = context.new_cdp_session(page)
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    session.send("Network.enable")
    seated(site, page, address, sessions[0])
    page.wait_for_load_state("networkidle")
    weight = sum(sizes) / 1000
    session.send("Emulation.setCPUThrottlingRate", {"rate": VIEW_THROTTLE})
    times = [ready(page, address) for _ in range(ROUNDS)]
    context.close()
    print(f"Page of a Duel, over the wire without cache {weight:.0f} kB; bar 220 kB")
    print(
        f"  until its first view is drawn, throttled {VIEW_THROTTLE}x: median"
        f" {statistics.median(times):.0f} ms, worst {max(times):.0f} ms; bar 1000 ms"
    )


def _print(name: str, times: list[float]) -> None:
    ordered = sorted(times)
    p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    under = sum(time <= FRAME_MS for time in times) / len(times)
    median = statistics.median(times)
    print(
        f"  {name:32} {median:>5.1f} ms {p99:>5.1f} ms {ordered[-1]:>5.1f} ms"
        f" {under:>13.1%} {len(times):>7}"
    )


if __name__ == "__main__":
    with running() as (site, browser):
        war(site, browser)
        first_view(site, browser)
