"""A reload, a network that goes away and a web process that is killed, while browsers play."""

from __future__ import annotations

from collections.abc import Callable

import psutil
from playwright.sync_api import BrowserContext, expect

from games.modes.minewars.tests.campaign import Skirmish
from games.modes.minewars.tests.trial import Browsers, start
from tests.running_site import RunningSite, wait_for
from tests.web.matches import frame_of, opened

FLAG = 28

ORDERS = "state.marks.orders.map(({ cells, icon, due }) => ({ cells, icon, due }))"
COOLING = """frame => {
  const cool = document.querySelector("[data-tool=clear] .war-cool circle");
  return [frame.board.state.time(), cool.getAnimations().length > 0];
}"""


def cools(trial: Browsers) -> None:
    """The page shows the cooldown of the last order, as long as it lasts."""
    ready = trial.state.commanders[0].ready["bulldoze"]
    now, shown = frame_of(trial.players[0].page).evaluate(COOLING)
    assert shown == (now < ready) or abs(ready - now) < 300, (ready, now, shown)


class SlowBuilding(Skirmish):
    """At full prices a tower takes a quarter of a minute."""

    options = {**Skirmish.options, "price_percent": 100}


def begin(
    site: RunningSite,
    new_context: Callable[..., BrowserContext],
    name: str,
    campaign: type[Skirmish] = Skirmish,
) -> Browsers:
    trial = start(site, new_context, campaign, name)
    assert isinstance(trial, Skirmish)
    trial.play(trial.begin, trial.flood)
    return trial


def free(trial: Browsers) -> list[int]:
    """Own land in an own region with nothing on it and no forest or mountain beside it."""
    state = trial.state
    return [
        cell
        for cell in range(state.topo.size)
        if state.owner[cell] == 1
        and state.kind[cell] in (1, 2)
        and state.owns_region(1, cell)
        and cell not in state.structures
        and cell not in state.pending
        and all(state.cluster[n] is None for n in state.topo.neighbours[cell])
    ]


def test_a_reload_changes_nothing(
    site: RunningSite, new_context: Callable[..., BrowserContext]
) -> None:
    trial = begin(site, new_context, "reload", SlowBuilding)
    ann, _ = trial.players
    flagged = next(c for c in range(trial.state.topo.size) if trial.state.kind[c] == 0)
    trial.act(trial.ann, "flag", cell=flagged, on=True)
    road, spot = trial.free_land(), trial.first
    trial.act(trial.ann, "build", structure="road", cells=[road])
    trial.built()

    # Towers that are to be built, and an order that takes five seconds.
    for cell in [cell for cell in free(trial) if cell not in (road, spot)][:2]:
        trial.act(trial.ann, "build", structure="tower", cells=[cell])
    ann.arm("clear")
    ann.click(road)
    ann.click(road)
    trial.until(0, lambda: bool(trial.state.commanders[0].orders), "it is not bulldozed")
    ann.until(lambda: ann.board(ORDERS), "the order is not shown")
    before = ann.board(ORDERS)
    assert [order["icon"] for order in before] == ["clear"]
    cools(trial)

    ann.page.reload()
    opened(ann.page)
    cools(trial)
    shown = ann.board(ORDERS)
    trial.match.read()
    assert shown == before or not trial.state.commanders[0].orders
    trial.agree()
    jobs = trial.state.cities[trial.home].jobs
    assert jobs
    expect(ann.page.locator(".war-queue li")).to_have_text(["tower"] * len(jobs))
    assert ann.tiles()[flagged] >> FLAG & 1
    ann.see("reloaded")
    trial.until(0, lambda: road not in trial.state.structures, "the order was lost")
    trial.agree()


def test_a_page_that_was_offline_catches_up(
    site: RunningSite, new_context: Callable[..., BrowserContext]
) -> None:
    trial = begin(site, new_context, "offline")
    assert isinstance(trial, Skirmish)
    trial.play(trial.come_near)
    ann, _ = trial.players
    ann.page.context.set_offline(True)
    expect(ann.page.locator(".away-line")).to_be_visible()
    ann.see("offline")
    # Bob goes on; Ann captures, which waits for the network.
    theirs, mine = trial.touched[:2]
    taken = next(n for n in trial.state.topo.neighbours[theirs] if trial.state.owner[n] == 1)
    trial.act(trial.bob, "capture", cell=taken)
    trial.act(trial.bob, "deploy", item="decoy", cell=theirs)
    ann.click(mine)
    stored = len(trial.match.entries)
    ann.page.context.set_offline(False)
    expect(ann.page.locator(".away-line")).to_be_hidden()
    trial.until(0, lambda: trial.state.owner[mine] == 1, "Ann's order was lost")
    assert len(trial.match.entries) > stored
    trial.agree()
    assert ann.tiles()[taken] >> 5 & 7 == 2
    ann.see("back")


def web_process(site: RunningSite) -> psutil.Process:
    """The process that serves the pages."""
    assert site.process is not None
    processes = psutil.Process(site.process.pid).children(recursive=True)
    return next(process for process in processes if "web" in process.cmdline())


def test_play_goes_on_after_kill_9_of_the_web_process(
    site: RunningSite, new_context: Callable[..., BrowserContext], complaints: list[str]
) -> None:
    trial = begin(site, new_context, "killed")
    assert isinstance(trial, Skirmish)
    trial.play(trial.come_near)
    ann, bob = trial.players
    theirs = trial.touched[0]
    acknowledged = [
        (p.seat, one["id"]) for p in trial.players for one in p.told if one["type"] == "ack"
    ]
    assert acknowledged
    bob.choose("mine", theirs)
    bob.until(lambda: any(e["type"] == "ordered" for e in bob.events), "the mine is not ordered")
    killed = web_process(site)
    killed.kill()
    for player in trial.players:
        expect(player.page.locator(".away-line")).to_be_visible()
    ann.click(trial.touched[1])  # waits for the next process
    wait_for(site.healthy, 60, "another web process")
    assert web_process(site).pid != killed.pid
    for player in trial.players:
        expect(player.page.locator(".away-line")).to_be_hidden()
    trial.until(0, lambda: trial.state.item[theirs] == 1, "the mine was lost")
    trial.until(0, lambda: trial.state.owner[trial.touched[1]] == 1, "the capture was lost")
    stored = {(entry.seat, entry.cid) for entry in trial.match.entries}
    assert set(acknowledged) <= stored
    trial.agree()
    trial.play(trial.win)
    for player in trial.players:
        expect(player.page.get_by_role("dialog", name="Result")).to_be_visible()
    complaints.clear()  # the browser tells of sockets that could not be opened


# A mine, and a decoy as soon as the server has the mine: on a slow machine, too, the cooldown runs.
TWO_ORDERS = """
async (frame, [mine, decoy]) => {
  const { board } = frame;
  const grid = frame.querySelector("[role=grid]");
  const use = (tool, cell) => {
    board.set({ cursor: cell, cursorShown: true });
    for (const key of [tool, "Enter"])
      grid.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  };
  use("3", mine);
  while (!board.state.marks.orders?.length) await new Promise((done) => setTimeout(done, 5));
  use("4", decoy);
}
"""


def test_a_clock_that_is_fast_loses_no_order(
    site: RunningSite, new_context: Callable[..., BrowserContext]
) -> None:
    """The page thinks that a cooldown is over, the server does not yet."""
    trial = begin(site, new_context, "fast")
    ann, _ = trial.players
    ann.page.evaluate("() => { const now = Date.now; Date.now = () => now() + 500; }")
    mine, decoy = free(trial)[:2]
    frame_of(ann.page).evaluate(TWO_ORDERS, [mine, decoy])
    trial.until(0, lambda: trial.state.item[decoy] == 2, "the second order was lost")
    assert trial.state.item[mine] == 1
    assert ann.refused(), "the clock was not fast enough to be refused"
    expect(ann.page.locator(".notices")).not_to_contain_text("Too soon")
