"""The rules of Battleship. games/modes/battleship/RULES.md is the same for players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from games.engine import rng
from games.engine.errors import IllegalAction
from games.engine.game import ALL, ONLY, Addressed, Event, Setup, Spec, View, Viewer

from . import state as states
from .actions import Action, Bomb, Options, Place, parse_action, parse_options
from .fleet import CELLS, LENGTHS, check_fleet
from .state import HIT, MISS, UNTRIED, State

LAPSES_LOST: Final = 3
"""A seat that lets so many turns in a row run out loses the match."""


class BattleshipRules:
    """A seat learns of the other's fleet only what bombs tell: hits, misses, sunk ships."""

    spec = Spec(
        name="battleship",
        version=1,
        min_seats=2,
        max_seats=2,
        realtime=False,
        hidden=True,
        actions=("place", "bomb"),
        events=("placed", "turn", "bombed", "lapsed"),
        codes={
            "bad_fleet": "A fleet needs five ships of 5, 4, 3, 3 and 2 cells.",
            "ship_outside": "A ship sticks out over the edge of the board.",
            "ships_overlap": "Two ships overlap.",
            "not_your_turn": "It's your opponent's turn.",
            "already_bombed": "You already bombed that cell. It's still your turn.",
        },
    )

    def parse_options(self, raw: object) -> Options:
        return parse_options(raw)

    def parse_action(self, raw: object) -> Action:
        return parse_action(raw)

    # -- set-up ----------------------------------------------------------------------------------

    def start(self, setup: Setup) -> State:
        return states.start(setup)

    def setup_seconds(self, state: State) -> int | None:
        seconds: int = state.setup.options.setup_seconds
        return seconds

    def is_ready(self, state: State, seat: int) -> bool:
        return state.seas[seat].fleet is not None

    def setup_timeout(self, state: State, t: int) -> list[Addressed] | None:
        return None

    def begin(self, state: State, t: int) -> list[Addressed]:
        return [self._turn(state, state.setup.options.first, t)]

    # -- turns -----------------------------------------------------------------------------------

    def turn(self, state: State) -> int | None:
        return state.turn

    def due(self, state: State) -> int | None:
        return state.turn_ends

    def advance(self, state: State, t: int) -> list[Addressed]:
        out: list[Addressed] = []
        while state.turn is not None and state.turn_ends is not None and state.turn_ends <= t:
            out.append(self._lapse(state, state.turn, state.turn_ends))
        return out

    def check_action(self, state: State, seat: int, action: Action, t: int, live: bool) -> None:
        if isinstance(action, Place):
            if live:
                raise IllegalAction("already_started", "The match has already started.")
            if state.seas[seat].fleet is not None:
                raise IllegalAction("already_ready", "Your fleet is already placed.")
            check_fleet(action.ships)
            return
        if not live:
            raise IllegalAction("not_started", "The match hasn't started yet.")
        if state.turn != seat:
            raise IllegalAction("not_your_turn", "It's your opponent's turn.")
        if not 0 <= action.cell < CELLS:
            raise IllegalAction("out_of_range", "That cell isn't on the board.")
        if state.seas[1 - seat].tried[action.cell] != UNTRIED:
            raise IllegalAction(
                "already_bombed", "You already bombed that cell. It's still your turn."
            )

    def apply_action(self, state: State, seat: int, action: Action, t: int) -> list[Addressed]:
        if isinstance(action, Bomb):
            state.seas[seat].lapses = 0
            return [self._bomb(state, seat, action.cell, t, auto=False)]
        state.seas[seat].fleet = action.ships
        placed = {"type": "placed", "ships": [ship.as_json() for ship in action.ships]}
        return [Addressed(ONLY[seat], placed)]

    def _turn(self, state: State, seat: int | None, t: int) -> Addressed:
        self._pass_turn(state, seat, t)
        return Addressed(ALL, {"type": "turn", "turn": state.turn, "turn_ends": state.turn_ends})

    def _pass_turn(self, state: State, seat: int | None, t: int) -> None:
        state.turn = seat
        seconds = state.setup.options.turn_seconds
        state.turn_ends = None if seat is None else t + seconds * 1000

    def _lapse(self, state: State, seat: int, t: int) -> Addressed:
        """The turn ran out: a bomb on a cell drawn without looking at the fleet, or the end."""
        sea = state.seas[seat]
        sea.lapses += 1
        if sea.lapses == LAPSES_LOST:
            state.winner, state.reason = 1 - seat, "lapses"
            self._pass_turn(state, None, t)
            lapsed = {"type": "lapsed", "seat": seat, "lapses": sea.lapses}
            return Addressed(ALL, {**lapsed, "turn": None, "turn_ends": None})
        tried = state.seas[1 - seat].tried
        untried = [cell for cell in range(CELLS) if tried[cell] == UNTRIED]
        draw = rng.derive(state.setup.seed, f"bomb:{state.bombs}")
        return self._bomb(state, seat, draw.choice(untried), t, auto=True)

    def _bomb(self, state: State, seat: int, cell: int, t: int, auto: bool) -> Addressed:
        sea = state.seas[1 - seat]
        hit, sunk = sea.bomb(cell)
        state.bombs += 1
        if len(sea.sunk) == len(LENGTHS):
            state.winner, state.reason = seat, "fleet_sunk"
        self._pass_turn(state, None if state.reason else 1 - seat, t)
        return Addressed(
            ALL,
            {
                "type": "bombed",
                "seat": seat,
                "cell": cell,
                "hit": hit,
                "sunk": None if sunk is None else sunk.as_json(),
                "auto": auto,
                "lapses": state.seas[seat].lapses,
                "turn": state.turn,
                "turn_ends": state.turn_ends,
            },
        )

    # -- the end ---------------------------------------------------------------------------------

    def retire(self, state: State, seat: int, t: int) -> list[Addressed]:
        return []

    def finish(self, state: State, t: int) -> list[Addressed]:
        return [] if state.turn is None else [self._turn(state, None, t)]

    def finished(self, state: State) -> str | None:
        return state.reason

    def settled(self, state: State, seat: int) -> bool:
        """A sunk fleet and a third lapse decide, whoever is away."""
        return state.reason is not None

    def standing(self, state: State) -> Sequence[tuple[int, ...]]:
        return [(int(state.winner == seat),) for seat in (0, 1)]

    def scores(self, state: State) -> Sequence[int]:
        """The hits each seat made."""
        return [state.seas[1].hits, state.seas[0].hits]

    def teams(self, state: State) -> Sequence[int]:
        return (0, 1)

    # -- what is seen ----------------------------------------------------------------------------

    def view(self, state: State, viewer: Viewer) -> View:
        fleet = None if viewer is None else state.seas[viewer].fleet
        return {
            "turn": state.turn,
            "turn_ends": state.turn_ends,
            "lapses": [sea.lapses for sea in state.seas],
            "fleet": None if fleet is None else [ship.as_json() for ship in fleet],
            "seas": [
                {"tried": list(sea.tried), "sunk": [ship.as_json() for ship in sea.sunk]}
                for sea in state.seas
            ],
        }

    def truth(self, state: State) -> View:
        return {
            "fleets": [
                None if sea.fleet is None else [ship.as_json() for ship in sea.fleet]
                for sea in state.seas
            ]
        }

    def fold(self, view: View, event: Event) -> None:
        kind = event["type"]
        if kind == "placed":
            view["fleet"] = event["ships"]
            return
        if kind == "bombed":
            sea = view["seas"][1 - event["seat"]]
            sea["tried"][event["cell"]] = HIT if event["hit"] else MISS
            if event["sunk"] is not None:
                sea["sunk"].append(event["sunk"])
        if kind in ("bombed", "lapsed"):
            view["lapses"][event["seat"]] = event["lapses"]
        view["turn"], view["turn_ends"] = event["turn"], event["turn_ends"]

    def dump(self, state: State) -> Any:
        return states.dump(state)

    def load(self, raw: Any, setup: Setup) -> State:
        return states.load(raw, setup)
