"""The common view format for games on a board of squares or hexagons, and rules that use it.

A mode whose views have this format needs no JavaScript: the site's generic board draws it, for
players, spectators and replays. docs/board-format.md describes every field.

    class FourRules(BoardRules[State]):
        spec = Spec(name="four", ..., actions=("drop",), events=EVENTS)
        moves = (DROP,)
        state_type = State

        def look(self, state, viewer):
            board = Board.square(7, 6)
            for cell, seat in state.stones:
                board.put(cell, "stone", seat)
            if viewer == state.turn:
                board.offer(DROP)
            return board

A `BoardRules` never writes events. It changes its state in `on_move` (and `on_begin`, `on_timer`,
`on_retire`), and each viewer is told what that changed in its own view. So a secret is safe as
long as `look` leaves it out: no other code decides who learns what.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Final, Generic, Literal, Protocol, TypeVar

from .errors import IllegalAction
from .fields import Fields, action, options
from .game import ALL, Addressed, Event, Setup, Spec, View, Viewer

FACES: Final[Mapping[str, str]] = {
    "plain": "open ground, tinted by its owner",
    "hidden": "a closed tile: something may lie under it",
    "flag": "a closed tile with a flag on it",
    "mine": "a mine",
    "stone": "a round piece in its owner's colour",
    "king": "a round piece with a second ring: one that is worth more",
    "goal": "ground with a mark: a place to reach",
    "blocked": "a wall, on which nothing can happen",
    "void": "no cell at all; boards of any shape leave cells out with it",
}
"""The faces of a cell."""

TEXT_LENGTH: Final = 2
MAX_CELLS: Final = 2_500
EVENTS: Final = ("board",)
"""The events of a `BoardRules`, for its `Spec`."""

Target = Literal["cell", "none"]


@dataclass(frozen=True, slots=True)
class Action:
    """Something a player can do: by pressing a cell, or with a button of its own."""

    type: str
    label: str
    target: Target = "cell"


@dataclass(frozen=True, slots=True)
class Move:
    """An action that somebody has taken. `cell` is -1 when its target is "none"."""

    type: str
    cell: int = -1


class Board:
    """The board as one viewer sees it. All cells are plain at first (or have the given face)."""

    def __init__(
        self, grid: Literal["square", "hex"], width: int, height: int, face: str = "plain"
    ) -> None:
        if width < 1 or height < 1 or width * height > MAX_CELLS:
            raise ValueError(f"a board has 1 to {MAX_CELLS} cells, not {width} x {height}")
        self.grid = grid
        self.width = width
        self.height = height
        self.cells = [_known(face)] * (width * height)
        self.owners: list[int | None] = [None] * (width * height)
        self.texts = [""] * (width * height)
        self.scores: Sequence[int | str] = ()
        """The text beside each player's name. After the end the match's final scores take its
        place, unless the board that `reveal` returns has scores of its own."""
        self.note: str | None = None
        """A sentence about the position, for this viewer."""
        self._clock: dict[str, Any] | None = None
        self._actions: list[dict[str, Any]] = []

    @classmethod
    def square(cls, width: int, height: int, face: str = "plain") -> Board:
        """Columns and rows; cell number y * width + x."""
        return cls("square", width, height, face)

    @classmethod
    def hex(cls, width: int, height: int, face: str = "plain") -> Board:
        """Rows of hexagons, every second one half a cell to the right (`grid.hex_rows`)."""
        return cls("hex", width, height, face)

    def put(self, cell: int, face: str, owner: int | None = None, text: str = "") -> None:
        """Set everything about one cell."""
        self._check(cell)
        if len(text) > TEXT_LENGTH:
            raise ValueError(f"the text {text!r} has more than {TEXT_LENGTH} characters")
        self.cells[cell] = _known(face)
        self.owners[cell] = owner
        self.texts[cell] = text

    def offer(self, *actions: Action, cells: Iterable[int] | None = None) -> None:
        """Offer these actions to this viewer now. Pressing a cell does the first one whose target
        is a cell; the others get buttons. `cells` are the only ones on which these actions are
        legal: the board marks them and answers a press elsewhere itself. The rules' `check` still
        decides."""
        where = None if cells is None else sorted(set(cells))
        for cell in where or ():
            self._check(cell)
        for each in actions:
            if where is not None and each.target != "cell":
                raise ValueError(f"the action {each.type!r} has no cell as its target")
            self._actions.append(asdict(each) | ({} if where is None else {"cells": where}))

    def countdown(self, label: str, ends: int) -> None:
        """Show a clock that runs out at this match time."""
        self._clock = {"label": label, "ends": ends}

    def as_json(self) -> dict[str, Any]:
        """The board alone, without what is told beside it."""
        return {
            "grid": self.grid,
            "width": self.width,
            "height": self.height,
            "cells": list(self.cells),
            "owners": list(self.owners),
            "texts": list(self.texts),
        }

    def as_view(self, turn: int | None) -> View:
        return {
            "board": self.as_json(),
            "turn": turn,
            "clock": self._clock,
            "scores": [str(score) for score in self.scores],
            "note": self.note,
            "actions": list(self._actions),
        }

    def _check(self, cell: int) -> None:
        if not 0 <= cell < len(self.cells):
            raise ValueError(f"cell {cell} is not on a board of {len(self.cells)} cells")


def _known(face: str) -> str:
    if face not in FACES:
        raise ValueError(f"{face!r} is none of the faces {', '.join(FACES)}")
    return face


_FIELDS: Final = ("turn", "clock", "scores", "note", "actions")
_SHAPE: Final = ("grid", "width", "height")
_LAYERS: Final = ("cells", "owners", "texts")


def changes(before: View, after: View) -> Event | None:
    """The event that turns one view into the other; None when they are equal."""
    event: Event = {"type": "board"}
    old, new = before["board"], after["board"]
    if any(old[key] != new[key] for key in _SHAPE):
        event["board"] = new
    elif old != new:
        now = list(zip(*(new[layer] for layer in _LAYERS), strict=True))
        was = zip(*(old[layer] for layer in _LAYERS), strict=True)
        event["set"] = [[i, *now[i]] for i, cell in enumerate(was) if cell != now[i]]
    event.update({key: after[key] for key in _FIELDS if before[key] != after[key]})
    return event if len(event) > 1 else None


def fold_board(view: View, event: Event) -> None:
    """Change a view as `changes` says. games/static/games/generic/fold.js does the same."""
    if "board" in event:
        new = event["board"]
        view["board"] = {**new, **{layer: list(new[layer]) for layer in _LAYERS}}
    board = view["board"]
    for cell, *values in event.get("set", ()):
        for layer, value in zip(_LAYERS, values, strict=True):
            board[layer][cell] = value
    view.update({key: event[key] for key in _FIELDS if key in event})


def candidates(view: View) -> list[dict[str, Any]]:
    """Every action that this view offers, on the cells that it names or else on every cell: what a
    bot or a random player picks from. The rules may still refuse some of them."""
    faces = view["board"]["cells"]
    everywhere = [i for i, face in enumerate(faces) if face not in ("void", "blocked")]
    found: list[dict[str, Any]] = []
    for offered in view["actions"]:
        if offered["target"] == "cell":
            cells = offered.get("cells", everywhere)
            found += [{"type": offered["type"], "cell": cell} for cell in cells]
        else:
            found.append({"type": offered["type"]})
    return found


def next_seat(seat: int, seats: int, out: Collection[int] = ()) -> int:
    """The next seat in turn, skipping those in `out`; `seat` itself when no other is left."""
    order = [(seat + step) % seats for step in range(1, seats + 1)]
    return next((each for each in order if each not in out), seat)


@dataclass(frozen=True, slots=True)
class NoOptions:
    """The options of a game that has none."""


class Readable(Protocol):
    """An option as in options.py."""

    @property
    def name(self) -> str: ...
    def read(self, given: Fields) -> Any: ...


S = TypeVar("S")


class BoardRules(ABC, Generic[S]):
    """Rules (game.py) of a game in the common format. `S` is the state: a dataclass of JSON values
    (numbers, texts, booleans, None, and lists of these), or override `dump` and `load`."""

    spec: Spec
    moves: ClassVar[tuple[Action, ...]]
    """Every action of the game; `spec.actions` names them."""
    state_type: type[S]
    options: ClassVar[tuple[Readable, ...]] = ()
    """The fields of `options_type`, as declared with options.py."""
    options_type: ClassVar[type[Any]] = NoOptions
    """A frozen dataclass."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if not (hasattr(cls, "spec") and hasattr(cls, "moves")):
            return  # an abstract base
        if tuple(cls.spec.actions) != tuple(move.type for move in cls.moves):
            raise TypeError(f"{cls.__name__}: spec.actions and moves name different actions")
        if tuple(cls.spec.events) != EVENTS:
            raise TypeError(f"{cls.__name__}: spec.events of board rules is {EVENTS}")

    # -- what every game says --------------------------------------------------------------------

    @abstractmethod
    def start(self, setup: Setup) -> S:
        """The position before the first move. Randomness: `rng.derive(setup.seed, "label")`."""

    @abstractmethod
    def look(self, state: S, viewer: Viewer) -> Board:
        """The board as this seat (or a spectator: None) may know it, and nothing else."""

    @abstractmethod
    def on_move(self, state: S, seat: int, move: Move, t: int) -> None:
        """Change the state. The move has passed `check`."""

    @abstractmethod
    def finished(self, state: S) -> str | None:
        """One word for why the game is over, or None."""

    @abstractmethod
    def scores(self, state: S) -> Sequence[int]:
        """A number per seat; the greater wins, unless `standing` says otherwise."""

    # -- what some games say ---------------------------------------------------------------------

    def turn(self, state: S) -> int | None:
        """The seat whose turn it is; None when everybody may move."""
        return None

    def check(self, state: S, seat: int, move: Move, t: int) -> None:
        """Raise IllegalAction if this move isn't allowed. The match is live, it is this seat's
        turn, and the cell is on the board."""

    def on_begin(self, state: S, t: int) -> None:
        """The match begins at match time t: start clocks here."""

    def due(self, state: S) -> int | None:
        """The match time at which `on_timer` is called next."""
        return None

    def on_timer(self, state: S, t: int) -> None:
        """The time that `due` named has come; `due` must name a later one now, or None."""

    def on_retire(self, state: S, seat: int, t: int) -> None:
        """This seat is out for good, the others play on: don't let them wait for it."""

    def reveal(self, state: S) -> Board | None:
        """The whole truth, shown to all after the end; None when nothing was hidden. Its `scores`,
        if it has any, replace the match's final scores beside the names."""
        return None

    def standing(self, state: S) -> Sequence[tuple[int, ...]]:
        return [(score,) for score in self.scores(state)]

    def teams(self, state: S) -> Sequence[int]:
        return range(len(self.scores(state)))

    # -- the rest of Rules -----------------------------------------------------------------------

    def parse_options(self, raw: object) -> Any:
        given = options(raw, *(option.name for option in self.options))
        return self.options_type(**{option.name: option.read(given) for option in self.options})

    def parse_action(self, raw: object) -> Move:
        targets = {move.type: move.target for move in self.moves}
        shapes = {kind: ("cell",) if at == "cell" else () for kind, at in targets.items()}
        kind, given = action(raw, shapes)
        return Move(kind, given.cell()) if targets[kind] == "cell" else Move(kind)

    def setup_seconds(self, state: S) -> int | None:
        return 30 if self.spec.ready_check else None

    def is_ready(self, state: S, seat: int) -> bool:
        return True

    def setup_timeout(self, state: S, t: int) -> list[Addressed] | None:
        return None

    def begin(self, state: S, t: int) -> list[Addressed]:
        return self._told(state, lambda: self.on_begin(state, t))

    def advance(self, state: S, t: int) -> list[Addressed]:
        return self._told(state, lambda: self.on_timer(state, t))

    def check_action(self, state: S, seat: int, action: Move, t: int, live: bool) -> None:
        if not live:
            raise IllegalAction("not_started", "The match hasn't started yet.")
        turn = self.turn(state)
        if turn is not None and turn != seat:
            raise IllegalAction("not_your_turn", "It isn't your turn.")
        if self._needs_cell(action):
            cells = self.look(state, seat).cells
            if not 0 <= action.cell < len(cells) or cells[action.cell] == "void":
                raise IllegalAction("out_of_range", "That cell isn't on the board.")
        self.check(state, seat, action, t)

    def apply_action(self, state: S, seat: int, action: Move, t: int) -> list[Addressed]:
        return self._told(state, lambda: self.on_move(state, seat, action, t))

    def retire(self, state: S, seat: int, t: int) -> list[Addressed]:
        return self._told(state, lambda: self.on_retire(state, seat, t))

    def finish(self, state: S, t: int) -> list[Addressed]:
        return []

    def view(self, state: S, viewer: Viewer) -> View:
        return self.look(state, viewer).as_view(self.turn(state))

    def truth(self, state: S) -> View:
        board = self.reveal(state)
        if board is None:
            return {}
        scores = [str(score) for score in board.scores]
        return {"board": board.as_json()} | ({"scores": scores} if scores else {})

    def fold(self, view: View, event: Event) -> None:
        fold_board(view, event)

    def dump(self, state: S) -> Any:
        return asdict(state)  # type: ignore[call-overload]  # S is a dataclass

    def load(self, raw: Any, setup: Setup) -> S:
        return self.state_type(**raw)

    def _needs_cell(self, action: Move) -> bool:
        return any(move.type == action.type and move.target == "cell" for move in self.moves)

    def _told(self, state: S, change: Callable[[], None]) -> list[Addressed]:
        """Make a change, and tell each viewer what it changed in that viewer's own view."""
        viewers: list[Viewer] = [None, *range(len(self.scores(state)))]
        before = [self.view(state, viewer) for viewer in viewers]
        change()
        told: list[tuple[Event, set[Viewer]]] = []
        for viewer, was in zip(viewers, before, strict=True):
            event = changes(was, self.view(state, viewer))
            if event is None:
                continue
            same = next((to for other, to in told if other == event), None)
            if same is None:
                told.append((event, {viewer}))
            else:
                same.add(viewer)
        everybody = set(viewers)
        return [Addressed(ALL if to == everybody else frozenset(to), event) for event, to in told]
