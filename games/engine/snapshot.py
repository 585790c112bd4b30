"""A match as bytes and back, so that a long log need not be replayed from its start."""

from __future__ import annotations

import json
from typing import Any, TypeVar

from .errors import BadDump, GameError
from .game import Outcome, Rules, Setup
from .state import Seat, State

S = TypeVar("S")


def dump(rules: Rules[S], state: State[S]) -> bytes:
    setup = state.setup
    return json.dumps(
        {
            "setup": {
                **{k: getattr(setup, k) for k in ("mode", "version", "seats", "at")},
                "seed": setup.seed.hex(),
                "deal": setup.deal.hex(),
                "options": state.options,
                # Snapshots of older versions are without it.
                **({"countdown": setup.countdown} if setup.countdown else {}),
            },
            "seats": [_seat(seat) for seat in state.seats],
            "origin": state.origin,
            "now": state.now,
            "phase": state.phase,
            "setup_ends": state.setup_ends,
            "outcome": None if state.outcome is None else state.outcome.as_json(),
            "game": rules.dump(state.game),
        },
        separators=(",", ":"),
    ).encode()


def _seat(seat: Seat) -> dict[str, Any]:
    values = {name: getattr(seat, name) for name in Seat.__slots__}
    if not seat.excused:
        del values["excused"]  # snapshots of older versions are without it
    return values


def load(rules: Rules[S], raw: bytes) -> State[S]:
    """The state that `dump` wrote; raises BadDump for anything else."""
    try:
        data = json.loads(raw)
        head = data["setup"]
        if head["mode"] != rules.spec.name:
            raise ValueError("this is a snapshot of another mode")
        setup = Setup(
            mode=head["mode"],
            version=head["version"],
            seed=bytes.fromhex(head["seed"]),
            deal=bytes.fromhex(head["deal"]),
            seats=head["seats"],
            options=rules.parse_options(head["options"]),
            at=head["at"],
            countdown=head.get("countdown", 0),
        )
        game = rules.load(data["game"], setup)
        ended = data["outcome"]
        return State(
            setup=setup,
            game=game,
            seats=[Seat(**s) for s in data["seats"]],
            origin=data["origin"],
            now=data["now"],
            phase=data["phase"],
            setup_ends=data["setup_ends"],
            outcome=None if ended is None else Outcome.from_json(ended),
            teams=tuple(rules.teams(game)),
        )
    except (GameError, LookupError, TypeError, ValueError, AttributeError) as error:
        raise BadDump("bad_snapshot", "The snapshot can't be read.") from error
