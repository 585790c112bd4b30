"""MineWars as a mode. games/modes/minewars/RULES.md is the same for players."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import heappop
from typing import Any, Final

from games.engine.errors import IllegalAction
from games.engine.game import ONLY, Addressed, Event, Setup, Spec, View, Viewer

from . import cities, items, land, opening, orders, snapshot, structures, views
from .actions import SHAPES, Action, parse_action
from .broadcast import catch_up, go_on_air
from .presets import Options, parse_options
from .ruleset import VERSION
from .scores import take_census, tell_scores
from .state import State


class MineWarsRules:
    """Everything that a seat receives is worked out from what its empire sees."""

    spec = Spec(
        name="minewars",
        version=VERSION,
        replays=(1, 2),
        min_seats=2,
        max_seats=6,
        realtime=True,
        hidden=True,
        actions=tuple(SHAPES),
        events=(
            "voted",
            "votes",
            "began",
            "tiles",
            "scores",
            "bank",
            "jobs",
            "city_lost",
            "links",
            "siege",
            "ordered",
            "done",
            "exploded",
            "killed",
            "flashed",
            "eliminated",
            "tremor",
            "taken",
            "sold",
            "harvested",
            "refunded",
            "ally_ordered",
            "ally_done",
            "pinged",
            "watching",
        ),
        codes={
            "no_ban": "This match has no ban stage, or it’s over.",
            "no_such_city": "There’s no city with that number.",
            "eliminated": "You have no cities left.",
            "stunned": "You’re stunned and can’t act.",
            "cooling_down": "It’s too soon to do that again.",
            "already_ordered": "You’ve already ordered that.",
            "too_expensive": "The cities that would pay don’t have enough money.",
            "already_yours": "That tile is already yours.",
            "not_adjacent": "That tile isn’t next to your land or across a bridge from it.",
            "not_land": "Nobody can own water.",
            "surround_it": "Hold all the land around it to take it.",
            "protected": "That tile has just been captured and is still protected.",
            "in_fog": "That tile is in fog.",
            "not_limited": "You can only reveal a tile of limited visibility.",
            "not_enemy_land": "That land doesn’t belong to another empire.",
            "not_your_land": "That isn’t your land.",
            "not_your_region": "That region’s city isn’t yours.",
            "not_empty": "There’s already something there.",
            "bad_site": "You can’t build that there.",
            "nothing_there": "There’s nothing of yours there.",
            "nothing_to_harvest": "There’s nothing to harvest there.",
            "out_of_reach": "That tile is too far from your land and towers.",
            "no_ally": "You have no ally to ping.",
        },
    )

    def parse_options(self, raw: object) -> Options:
        return parse_options(raw)

    def parse_action(self, raw: object) -> Action:
        return parse_action(raw)

    # -- set-up ----------------------------------------------------------------------------------

    def start(self, setup: Setup) -> State:
        return opening.start(setup)

    def setup_seconds(self, state: State) -> int | None:
        return state.rules.ban_seconds or None

    def is_ready(self, state: State, seat: int) -> bool:
        """The ban stage lasts its time: votes can be changed until then."""
        return False

    def setup_timeout(self, state: State, t: int) -> list[Addressed]:
        return opening.close_ban(state)

    def begin(self, state: State, t: int) -> list[Addressed]:
        opening.begin(state, t)
        return views.flush(state)

    # -- time ------------------------------------------------------------------------------------

    def due(self, state: State) -> int | None:
        return state.timers[0][0] if state.timers and not state.ended else None

    def advance(self, state: State, t: int) -> list[Addressed]:
        out: list[Addressed] = []
        timers = state.timers
        while timers and timers[0][0] <= t and self.finished(state) is None:
            state.now = timers[0][0]
            while timers and timers[0][0] == state.now:
                _, _, what, args = heappop(timers)
                _TIMERS[what](state, args)
                timers = state.timers
            out += views.flush(state)
        return out

    # -- actions ---------------------------------------------------------------------------------

    def check_action(self, state: State, seat: int, action: Action, t: int, live: bool) -> None:
        if action.type == "vote":
            if live:
                raise IllegalAction("no_ban", "The ban stage is over.")
            if not all(0 <= city < len(state.cities) for city in action.cells):
                raise IllegalAction("no_such_city", "There’s no city with that number.")
        elif not live:
            raise IllegalAction("not_started", "The match hasn't started yet.")
        else:
            orders.check(state, seat, action, t)

    def apply_action(self, state: State, seat: int, action: Action, t: int) -> list[Addressed]:
        if action.type == "vote":
            state.commanders[seat].votes = action.cells
            return [Addressed(ONLY[seat], {"type": "voted", "cities": list(action.cells)})]
        state.now = t
        orders.give(state, seat, action)
        return views.flush(state)

    def retire(self, state: State, seat: int, t: int) -> list[Addressed]:
        """An empire goes on as long as one of its commanders is there."""
        state.commanders[seat].retired = True
        empire = state.empire_of[seat]
        allies = [i for i, e in enumerate(state.empire_of) if e == empire]
        if state.empires[empire].out is not None or not all(
            state.commanders[i].retired for i in allies
        ):
            return []
        state.now = t
        cities.eliminate(state, empire)
        return views.flush(state)

    # -- the end ---------------------------------------------------------------------------------

    def finish(self, state: State, t: int) -> list[Addressed]:
        if not state.rules.broadcast:
            return []
        state.disclosed = True
        return [*catch_up(state), *tell_scores(state, range(1, len(state.empires)))]

    def finished(self, state: State) -> str | None:
        if state.began is not None and len(state.alive()) <= 1:
            return "conquest"
        return "time" if state.ended else None

    def standing(self, state: State) -> Sequence[tuple[int, ...]]:
        """Those still in by cities, tiles and kills; then the others, the last to go first."""
        keys: list[tuple[int, ...]] = []
        for number in state.empire_of:
            one = state.empires[number]
            if one.out is None:
                keys.append((1, one.cities, one.tiles, one.kills))
            else:
                keys.append((0, one.out, 0, 0))
        return keys

    def settled(self, state: State, seat: int) -> bool:
        """The eliminated keep their place, whether they go on watching or leave; so does the
        empire that is left, even if its commander is away."""
        out = state.empires[state.empire_of[seat]].out is not None
        return out or self.finished(state) == "conquest"

    def scores(self, state: State) -> Sequence[int]:
        return [state.empires[empire].cities for empire in state.empire_of]

    def teams(self, state: State) -> Sequence[int]:
        return state.empire_of

    # -- what is seen ----------------------------------------------------------------------------

    def view(self, state: State, viewer: Viewer) -> View:
        return views.view(state, viewer)

    def truth(self, state: State) -> View:
        return views.truth(state)

    def fold(self, view: View, event: Event) -> None:
        views.fold(view, event)

    def dump(self, state: State) -> Any:
        return snapshot.dump(state)

    def load(self, raw: Any, setup: Setup) -> State:
        return snapshot.load(raw, setup)


def _end(state: State, args: tuple[int, ...]) -> None:
    state.ended = True


_TIMERS: Final[dict[str, Callable[[State, tuple[int, ...]], None]]] = {
    "end": _end,
    "order": lambda state, args: orders.due(state, args[0], args[1]),
    "unprotect": land.unprotect,
    "fall": lambda state, args: cities.fall(state, args[0]),
    "build": lambda state, args: structures.work(state, args[0]),
    "awake": lambda state, args: items.awake(state, args[0]),
    "unblind": lambda state, args: items.unblind(state, args[0]),
    "clear": lambda state, args: items.clear_smoke(state, args[0]),
    "unlift": lambda state, args: items.unlift(state, args[0]),
    "census": lambda state, args: take_census(state),
    "air": lambda state, args: go_on_air(state),
}
"""The function of each timer; a timer that was overtaken does nothing."""
