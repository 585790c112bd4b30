"""A short match that gives every order once, step by step: the first player floods the land, takes
a neutral city, builds, meets the second one, and takes the last city.

The engine plays it to find a map on which every step is possible (`first_seed`); the trials play
it again in browsers. A step finds its tiles in the state, so it needs no map of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from hashlib import sha256
from typing import Any

from games.modes.minewars.rules.sight import level
from games.modes.minewars.rules.state import is_land
from games.modes.minewars.rules.tiles import DECOY, FLASHBANG, LIMITED, MINE, ROAD
from games.modes.minewars.tests.script import Director, Stuck

OPTIONS: dict[str, Any] = {
    "radius": 9,
    "cities": 3,
    "ban_seconds": 15,
    "limit_seconds": 600,
    "mine_percent": 3,
    "decoy_percent": 2,
    "price_percent": 40,
    "watch_delay_seconds": 10,
}
SIEGE, HELD_SIEGE, PROTECTED = 5000, 8000, 2500


class Campaign(Director):
    """The steps, each made of orders."""

    options = OPTIONS
    ann, bob = 0, 1
    """The seats that play it, of the first and of the second empire."""

    def until(self, ms: int, done: Callable[[], bool], what: str) -> None:
        """So much match time makes it true."""
        self.wait(ms)
        if not done():
            raise Stuck(what)

    def steps(self) -> Iterator[Any]:
        yield self.vote
        yield self.begin
        yield self.flood
        yield self.take_the_neutral_city
        yield self.sell
        yield self.link
        yield self.barricade
        yield self.watch
        yield self.bridge
        yield self.cancel
        yield self.harvest
        yield self.bulldoze
        yield self.come_near
        yield self.trap
        yield self.smoke
        yield self.reveal
        yield self.take_back
        yield self.step_on_flashbang
        yield self.upgrade
        yield self.step_on_mine
        yield self.strike
        yield self.win

    # -- Ann alone -------------------------------------------------------------------------------

    def vote(self) -> None:
        self.act(self.ann, "vote", cities=[0, 1])
        self.act(self.bob, "vote", cities=[0])

    def begin(self) -> None:
        ban = self.options["ban_seconds"] * 1000 + 100
        self.until(ban, lambda: self.state.began is not None, "it does not begin")
        self.home, self.theirs, self.neutral = (self.city_of(empire) for empire in (1, 2, 0))

    def beside(self, seat: int) -> list[int]:
        """Nobody's safe land next to a seat's."""
        state = self.state
        return [
            cell
            for cell in range(state.topo.size)
            if not state.owner[cell]
            and not state.item[cell]
            and is_land(state, cell)
            and any(state.owner[n] == seat + 1 for n in state.topo.neighbours[cell])
        ]

    def flood(self) -> None:
        before = self.state.empires[1].tiles
        self.first = self.beside(self.ann)[0]
        self.act(self.ann, "capture", cell=self.first)
        if self.state.empires[1].tiles < before + 30:
            raise Stuck("no flood")
        if self.state.cities[self.neutral].siege:
            raise Stuck("the neutral city falls by itself")

    def take_the_neutral_city(self) -> None:
        city = self.state.cities[self.neutral]
        self.hold(self.ann, self.state.topo.neighbours[city.cell])
        if city.siege != 1:
            raise Stuck("no siege")
        self.until(SIEGE, lambda: self.state.city_owner(self.neutral) == 1, "the city did not fall")

    def sell(self) -> None:
        """Hold all safe land around an item."""
        state = self.state
        for cell in range(state.topo.size):
            if not state.item[cell] or state.owner[cell]:
                continue
            rim = state.topo.neighbours[cell]
            if any(state.hard[n] for n in rim) or len(rim) < 6:
                continue
            self.sold = cell
            self.hold(self.ann, rim)
            if state.owner[cell] == 1 and not state.item[cell]:
                return
        raise Stuck("nothing to sell")

    def link(self) -> None:
        self.connect(self.home, self.neutral)
        self.roads = sorted(c for c, s in self.state.structures.items() if s.kind == ROAD)

    def watch(self) -> None:
        self.tower(self.home)

    def cancel(self) -> None:
        state = self.state
        self.cancelled = next(
            cell
            for cell in range(state.topo.size)
            if state.owner[cell] == 1
            and state.kind[cell] == 1
            and state.owns_region(1, cell)
            and cell not in state.structures
            and all(state.cluster[n] is None for n in state.topo.neighbours[cell])
        )
        self.act(self.ann, "build", structure="tower", cells=[self.cancelled])
        self.act(self.ann, "cancel", cell=self.cancelled)
        if self.cancelled in self.state.structures or self.cancelled in self.state.pending:
            raise Stuck("not cancelled")

    def free_land(self) -> int:
        state = self.state
        for cell in range(state.topo.size):
            if (
                state.owner[cell] == 1
                and state.kind[cell] == 1
                and is_land(state, cell)
                and state.owns_region(1, cell)
                and cell not in state.structures
                and cell not in state.pending
            ):
                return cell
        raise Stuck("no land")

    def harvest(self) -> None:
        self.harvested = self.free_land()
        self.act(self.ann, "harvest", cell=self.harvested)

    def bulldoze(self) -> None:
        self.act(self.ann, "bulldoze", cell=self.roads[0])
        if self.roads[0] in self.state.structures:
            raise Stuck("it still stands")

    # -- Ann and Bob -----------------------------------------------------------------------------

    def ring(self) -> list[int]:
        """The land around Bob's city."""
        return list(self.state.topo.neighbours[self.state.cities[self.theirs].cell])

    def come_near(self) -> None:
        """Ann holds land beside three tiles of Bob's ring."""
        state = self.state
        wanted = {
            n
            for cell in self.ring()
            for n in state.topo.neighbours[cell]
            if is_land(state, n) and state.owner[n] != 2 and not state.item[n]
        }
        for cell in sorted(wanted):
            if not state.owner[cell]:
                self.hold(self.ann, [cell])
        self.until(PROTECTED, lambda: not state.shield, "still protected")
        self.touched = [
            cell
            for cell in self.ring()
            if state.owner[cell] == 2
            and any(state.owner[n] == 1 and is_land(state, n) for n in state.topo.neighbours[cell])
            and level(state, 1, cell) == LIMITED
        ]
        if len(self.touched) < 3:
            raise Stuck("no border")

    def trap(self) -> None:
        flash, decoy, mine = self.touched[:3]
        self.act(self.bob, "deploy", item="flashbang", cell=flash)
        self.act(self.bob, "deploy", item="decoy", cell=decoy)
        self.act(self.bob, "deploy", item="mine", cell=mine)
        if [self.state.item[cell] for cell in self.touched[:3]] != [FLASHBANG, DECOY, MINE]:
            raise Stuck("not laid")

    def smoke(self) -> None:
        state = self.state
        self.smoked = next(
            n
            for n in state.topo.neighbours[self.touched[0]]
            if state.owner[n] == 1 and is_land(state, n)
        )
        self.act(self.bob, "smoke", cell=self.smoked)
        if self.smoked not in state.smoke:
            raise Stuck("no smoke")

    def reveal(self) -> None:
        self.act(self.ann, "reveal", cell=self.touched[1])
        if self.touched[1] not in self.state.empires[1].revealed:
            raise Stuck("not revealed")

    def take_back(self) -> None:
        """Bob captures land of Ann's that is next to his."""
        self.taken_back = self.smoked
        self.act(self.bob, "capture", cell=self.taken_back)
        if self.state.owner[self.taken_back] != 2:
            raise Stuck("not taken")
        self.until(PROTECTED, lambda: not self.state.shield, "still protected")

    def step_on_flashbang(self) -> None:
        self.hold(self.ann, [self.taken_back])
        self.act(self.ann, "capture", cell=self.touched[0])
        if self.state.empires[1].blind <= self.state.now or self.state.empires[1].stunned:
            raise Stuck("not blinded")

    def upgrade(self) -> None:
        self.act(self.bob, "deploy", item="mine", cell=self.touched[1])
        if self.state.item[self.touched[1]] != MINE:
            raise Stuck("not upgraded")

    def step_on_mine(self) -> None:
        self.act(self.ann, "capture", cell=self.touched[2])
        if not self.state.empires[1].deaths:
            raise Stuck("no mine")

    def strike(self) -> None:
        self.struck = [self.touched[1], self.touched[2]]
        self.act(self.ann, "strike", cells=self.struck)
        if self.state.item[self.touched[1]]:
            raise Stuck("the mine is still there")

    def win(self) -> None:
        self.hold(self.ann, self.ring())
        self.until(HELD_SIEGE, lambda: self.over, "the match goes on")


class SquareCampaign(Campaign):
    """On squares."""

    options = {**OPTIONS, "topology": "square", "radius": 8}


class Skirmish(Campaign):
    """Without a ban stage: straight for each other."""

    options = {**OPTIONS, "ban_seconds": 0}

    def steps(self) -> Iterator[Any]:
        yield self.begin
        yield self.flood
        yield self.come_near
        yield self.trap
        yield self.smoke
        yield self.reveal
        yield self.strike
        yield self.win


class TeamSkirmish(Skirmish):
    """Two empires of two players, on squares."""

    options = {**SquareCampaign.options, "team_size": 2, "ban_seconds": 0}
    seats = 4
    bob = 2


def first_seed(campaign: type[Campaign]) -> bytes:
    """The first seed whose map has all that the steps need."""
    for number in range(400):
        seed = sha256(b"campaign %d" % number).digest()
        try:
            play = campaign(seed)
            for step in play.steps():
                step()
        except (Stuck, StopIteration, IndexError):
            continue
        return seed
    raise AssertionError("no map offers everything that this campaign needs")
