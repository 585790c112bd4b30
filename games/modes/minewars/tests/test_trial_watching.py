"""Only what may reach those who watch reaches them: a spectator, and a player who is out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from playwright.sync_api import BrowserContext, expect

from games.modes.minewars.rules.tiles import ITEM
from games.modes.minewars.tests.campaign import OPTIONS, Skirmish
from games.modes.minewars.tests.trial import Player, start
from tests.running_site import RunningSite

DELAY = 8
SECRET = 3 << 8 | 7 << 17 | 15 << 20 | 1 << 24 | 1 << 25 | 1 << 26 | 1 << 28
"""Item, pending structure, digit, star, smoke, protection and flag of a tile."""
AIRED = {
    "tiles",
    "scores",
    "exploded",
    "killed",
    "flashed",
    "taken",
    "eliminated",
    "began",
    "votes",
}
PUBLIC = {"started", "over", "dropped", "returned", "left", "retired", "ready"}
"""The messages that everybody gets of any match."""
PRIVATE = ("banks", "jobs", "links", "sieges", "ready", "orders", "vote", "allies", "smoke")


class Watched(Skirmish):
    """Three players, so that one can be out while the others go on."""

    options = {**OPTIONS, "ban_seconds": 0, "cities": 4, "watch_delay_seconds": DELAY}
    seats = 3

    def steps(self) -> Iterator[Any]:
        yield self.begin
        yield self.flood


def secrets_in(message: dict[str, Any]) -> list[Any]:
    """Everything in a message that a viewer of the broadcast must not learn."""
    if message["type"] == "view":
        game = message["view"]["game"]
        found = [name for name in PRIVATE if any(empty_out(game[name]))]
        return found + [code for code in game["tiles"] if code & SECRET]
    if message["type"] != "event":
        return []
    event = message["event"]
    if event["type"] == "tiles":
        return [code for code in event["tiles"][1::2] if code & SECRET]
    if event["type"] == "watching":
        return [code for code in event["tiles"] if code & SECRET]
    return [] if event["type"] in AIRED | PUBLIC else [event]


def empty_out(value: Any) -> list[Any]:
    return [one for one in (value.values() if isinstance(value, dict) else value or ()) if one]


def before_the_end(player: Player, since: int = 0) -> list[dict[str, Any]]:
    """The messages to this page before the match was over."""
    told = []
    for message in player.told[since:]:
        if message["type"] == "event" and message["event"]["type"] == "over":
            break
        told.append(message)
    return told


def first_told(player: Player, cell: int, owner: int) -> int:
    """The match time at which this page learned that the tile is that empire's."""
    for message in player.told:
        if message["type"] == "event" and message["event"]["type"] == "tiles":
            told = message["event"]["tiles"]
            pairs = zip(told[::2], told[1::2], strict=True)
            if any(one == cell and code >> 5 & 7 == owner for one, code in pairs):
                return int(message["t"])
    return -1


def give_up(player: Player) -> None:
    player.page.get_by_role("button", name="Give up").click()
    player.page.get_by_role("dialog").get_by_role("button", name="Give up").click()


def test_spectators_learn_no_secret_and_everything_late(
    site: RunningSite, new_context: Callable[..., BrowserContext]
) -> None:
    trial = start(site, new_context, Watched, "watching")
    assert isinstance(trial, Watched)
    ann, bob, cid = trial.players
    eve = Player(new_context().new_page(), None)
    eve.page.goto(ann.page.url)
    trial.play(trial.begin, trial.flood)
    # Ann does what only she may know of.
    trial.act(trial.ann, "flag", cell=trial.first, on=True)
    for item in ("mine", "decoy"):
        own = next(
            cell
            for cell in trial.state.topo.neighbours[trial.state.cities[trial.home].cell]
            if not trial.state.item[cell]
        )
        trial.act(trial.ann, "deploy", item=item, cell=own)
    trial.act(trial.ann, "harvest", cell=trial.free_land())
    assert "Give up" not in eve.page.locator(".match-side").inner_text()

    # Bob gives up, and watches from then on.
    since = len(bob.told)
    give_up(bob)
    expect(bob.page.locator(".war-foot")).to_be_hidden()
    bob.until(lambda: any(e["type"] == "watching" for e in bob.events), "Bob does not watch")
    eve.until(lambda: first_told(eve, trial.first, 1) >= 0, "nothing was broadcast")
    happened = next(
        event["due"]
        for event in ann.events
        if event["type"] == "ordered" and event["cells"] == [trial.first]
    )
    late = first_told(eve, trial.first, 1) - happened
    assert DELAY * 1000 <= late < DELAY * 1000 + 2000, f"{late} ms late"
    bob.until(lambda: bob.tiles() == eve.tiles(), "Bob does not see the broadcast")
    for player in (bob, eve):
        expect(player.page.locator(".clocks")).to_contain_text(f"{DELAY} s")
    eve.see("watching-eve")
    bob.see("watching-bob")
    assert not any(code & SECRET for code in eve.tiles())

    # When it is over, nothing is secret any more.
    give_up(cid)
    for player in (ann, bob, cid, eve):
        expect(player.page.get_by_role("dialog", name="Result")).to_be_visible()
    assert any(code >> ITEM & 3 for code in eve.tiles())
    eve.see("watching-over")
    for player, told in ((eve, before_the_end(eve)), (bob, before_the_end(bob, since)[1:])):
        assert len(told) > 3
        leaks = [secrets for message in told if (secrets := secrets_in(message))]
        assert leaks == [], f"seat {player.seat}"
