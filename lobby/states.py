"""Small states that several people change: a rematch, a challenge, an invitation.

A state is a frozen value; a step is a pure function from the old one to the new one. The new one
is stored only if nobody changed it meanwhile (else the step is retried on the new state),
and a step that decides on a match stores the match's plan at the same moment.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import msgspec

from games.redis import redis
from lobby import creation, playing
from lobby.errors import LobbyError
from lobby.plans import Plan
from lobby.store import CHANGE, named, now_ms, run

T = TypeVar("T", bound=msgspec.Struct)

Step = Callable[[T | None], tuple[T, Plan | None]]


class Busy(LobbyError):
    """One of the players sits in another match; nothing was changed."""

    def __init__(self, identity: str) -> None:
        super().__init__("player_busy")
        self.identity = identity


async def read(name: str, kind: type[T]) -> T | None:
    raw = await redis().get(named(name))
    return None if raw is None else msgspec.json.decode(raw, type=kind)


async def change(name: str, kind: type[T], step: Step[T], *, ttl_ms: int) -> T:
    """Take the step; raises what the step raises, or Busy. A decided match is created, too."""
    while True:
        raw: bytes = await redis().get(named(name)) or b""
        old = msgspec.json.decode(raw, type=kind) if raw else None
        new, plan = step(old)
        if new == old:
            return new
        answer = await run(
            CHANGE,
            name,
            raw,
            msgspec.json.encode(new),
            ttl_ms,
            await now_ms(),
            plan.match if plan else "",
            plan.encoded() if plan else "",
            (plan.previous if plan else None) or "",
            *(plan.identities if plan else ()),
        )
        if answer[0] == b"busy":
            identity, match_id = answer[1].decode(), answer[2].decode()
            if not await playing.release_if_out(identity, match_id):
                raise Busy(identity)
        if answer[0] == b"ok":
            if plan is not None:
                await creation.create(plan)
            return new
