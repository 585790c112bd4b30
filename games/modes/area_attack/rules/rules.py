"""The rules of Area Attack. games/modes/area_attack/RULES.md is the same for players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.engine.errors import IllegalAction
from games.engine.game import ALL, ONLY, Addressed, Event, Setup, Spec, View, Viewer
from games.engine.moves import Chord, Flag

from . import claiming, generation, seeing, stages, starts, striking
from . import state as states
from .actions import Action, Claim, Confirm, Pick, parse_action
from .options import Options, parse_options
from .state import FREE, State


class AreaAttackRules:
    """A seat knows its own numbers and flags, who owns what, and exposed mines; a spectator
    the same without numbers and flags; a frozen seat nothing that happened since it froze."""

    spec = Spec(
        name="area-attack",
        version=1,
        min_seats=2,
        max_seats=4,
        realtime=True,
        hidden=True,
        actions=("pick", "confirm", "claim", "flag", "chord"),
        events=(
            "picked",
            "stage",
            "claimed",
            "flagged",
            "struck",
            "regenerated",
            "thawed",
            "caught_up",
        ),
        codes={
            "too_close": "That start is too close to another player's.",
            "no_pick": "Pick a start before confirming it.",
            "frozen": "You are frozen.",
            "taken": "Another player owns that cell.",
            "own_cell": "You already own that cell.",
            "exposed_mine": "You can't claim an exposed mine.",
            "not_adjacent": "From stage 2 on, you can only claim cells that touch your area.",
            "not_hidden": "You can only flag a hidden cell.",
            "not_yours": "You can only chord on your own cells.",
            "number_not_met": "Flags and exposed mines around that cell don't match its number.",
            "nothing_hidden": "There is nothing left to claim around that cell.",
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
        return state.options.pick_seconds

    def is_ready(self, state: State, seat: int) -> bool:
        return state.confirmed[seat]

    def setup_timeout(self, state: State, t: int) -> list[Addressed] | None:
        return starts.pick_for_the_rest(state)

    def begin(self, state: State, t: int) -> list[Addressed]:
        chosen = [pick for pick in state.picks if pick is not None]
        state.mines, state.numbers = generation.generate(
            state.setup.seed, state.grid, state.options.density, chosen
        )
        state.safe = state.grid.size - sum(state.mines)
        out = stages.begin(state, t)
        for seat, start in enumerate(chosen):
            out += claiming.take(state, seat, (start,))[0]
        return self._settle(state, t, out)

    # -- live ------------------------------------------------------------------------------------

    def due(self, state: State) -> int | None:
        return state.due

    def advance(self, state: State, t: int) -> list[Addressed]:
        return stages.advance(state, t)

    def check_action(self, state: State, seat: int, action: Action, t: int, live: bool) -> None:
        if not live:
            self._check_set_up(state, seat, action)
            return
        if isinstance(action, Pick | Confirm):
            raise IllegalAction("already_started", "The match has already started.")
        if state.freezes[seat] is not None:
            raise IllegalAction("frozen", "You are frozen.")
        self._check_range(state, action.cell)
        if isinstance(action, Claim):
            claiming.check_claim(state, seat, action.cell)
        elif isinstance(action, Chord):
            claiming.check_chord(state, seat, action.cell)
        elif state.owners[action.cell] != FREE:
            raise IllegalAction("not_hidden", "You can only flag a hidden cell.")

    def _check_set_up(self, state: State, seat: int, action: Action) -> None:
        if not isinstance(action, Pick | Confirm):
            raise IllegalAction("not_started", "Wait for all players to choose a starting square.")
        if state.confirmed[seat]:
            raise IllegalAction("already_ready", "Your start is already confirmed.")
        if isinstance(action, Pick):
            self._check_range(state, action.cell)
            starts.check_pick(state, seat, action.cell)
        elif state.picks[seat] is None:
            raise IllegalAction("no_pick", "Pick a start before confirming it.")

    def _check_range(self, state: State, cell: int) -> None:
        if not 0 <= cell < state.grid.size:
            raise IllegalAction("out_of_range", "That cell isn't on the board.")

    def apply_action(self, state: State, seat: int, action: Action, t: int) -> list[Addressed]:
        if isinstance(action, Claim):
            return self._take(state, seat, (action.cell,), t)
        if isinstance(action, Flag):
            cells = state.flags[seat]
            (cells.add if action.on else cells.discard)(action.cell)
            flagged: Event = {"type": "flagged", "cell": action.cell, "on": action.on}
            return [Addressed(ONLY[seat], flagged)]
        if isinstance(action, Chord):
            targets = claiming.chord_targets(state, seat, action.cell)
            return self._take(state, seat, targets, t)
        if isinstance(action, Pick):
            state.picks[seat] = action.cell
            return [Addressed(ALL, {"type": "picked", "seat": seat, "cell": action.cell})]
        state.confirmed[seat] = True
        return []

    def _take(self, state: State, seat: int, cells: Sequence[int], t: int) -> list[Addressed]:
        out, mine = claiming.take(state, seat, cells)
        if mine is not None:
            out += striking.strike(state, seat, mine, t)
        return self._settle(state, t, out)

    def _settle(self, state: State, t: int, out: list[Addressed]) -> list[Addressed]:
        """After a whole action: the stage that area calls for, and the next timer."""
        out += stages.by_area(state, t)
        stages.schedule(state)
        return out

    # -- the end ---------------------------------------------------------------------------------

    def retire(self, state: State, seat: int, t: int) -> list[Addressed]:
        return []

    def finish(self, state: State, t: int) -> list[Addressed]:
        out: list[Addressed] = []
        for seat, freeze in enumerate(state.freezes):
            if freeze is not None:
                out += striking.thaw(state, seat)
        return out

    def finished(self, state: State) -> str | None:
        if state.stage and sum(state.areas) == state.safe:
            return "cleared"
        return "time" if state.ended else None

    def standing(self, state: State) -> Sequence[tuple[int, ...]]:
        """By area; ties by fewer mines struck."""
        return [(area, -mines) for area, mines in zip(state.areas, state.struck, strict=True)]

    def scores(self, state: State) -> Sequence[int]:
        return state.areas

    def teams(self, state: State) -> Sequence[int]:
        return range(len(state.areas))

    # -- what is seen ----------------------------------------------------------------------------

    def view(self, state: State, viewer: Viewer) -> View:
        return seeing.view(state, viewer)

    def truth(self, state: State) -> View:
        return seeing.truth(state)

    def fold(self, view: View, event: Event) -> None:
        seeing.fold(view, event)

    def dump(self, state: State) -> Any:
        return states.dump(state)

    def load(self, raw: Any, setup: Setup) -> State:
        return states.load(raw, setup)
