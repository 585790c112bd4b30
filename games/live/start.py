"""Begins matches: rows in the database, then row 1 of each log in Redis."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from typing import Any

from channels.db import database_sync_to_async

from games import storage
from games.engine import registry
from games.engine.rng import commitment
from games.live.host import host
from games.live.setup import MatchSetup, SeatInfo, decode_setup, new_id, new_seed

logger = logging.getLogger(__name__)


async def create_match(
    mode: str,
    seats: list[SeatInfo],
    options: dict[str, Any],
    *,
    rated: bool,
    source: str,
    previous: str | None = None,
    deal: bytes = b"",
    match_id: str | None = None,
) -> str:
    """Make a match that anybody can join now; returns its id. Raises what `new_setup` raises."""
    match_id = match_id or new_id()
    setup = new_setup(
        mode, seats, options, rated=rated, source=source, previous=previous, deal=deal
    )
    await create_matches({match_id: setup})
    return match_id


def new_setup(
    mode: str,
    seats: list[SeatInfo],
    options: dict[str, Any],
    *,
    rated: bool,
    source: str,
    previous: str | None = None,
    deal: bytes = b"",
    countdown: int = 0,
) -> MatchSetup:
    """The set-up of a match with a seed of its own. Raises KeyError for an unknown mode,
    BadOptions, and ValueError for a wrong number of seats."""
    game = registry.game(mode)
    game.parse_options(options)
    if not game.spec.min_seats <= len(seats) <= game.spec.max_seats:
        raise ValueError(f"{mode} is for {game.spec.min_seats} to {game.spec.max_seats} players")
    return MatchSetup(
        mode=mode,
        version=game.spec.version,
        seed=new_seed(),
        deal=deal.hex(),
        seats=seats,
        options=options,
        rated=rated,
        source=source,
        previous=previous,
        countdown=countdown,
    )


async def create_matches(new: Mapping[str, MatchSetup]) -> None:
    """Make these matches, by id, in one transaction.

    It may be called again, also at the same time, by a caller that doesn't know whether it was
    carried out: there is one match of each id, with the seed stored first. Raises NoRoom on a full
    disk: whoever asked for a match looked before, but a board or other players took their time.
    """
    storage.refuse_when_full()
    here = host()
    # The database first: a match without a log is found and closed, the reverse would be lost.
    promised = await database_sync_to_async(store_rows)(new)
    running = [match_id for match_id, row in promised.items() if row is not None]
    first_rows = await asyncio.gather(
        *(here.create(match_id, new[match_id].encode()) for match_id in running)
    )
    for match_id, first in zip(running, first_rows, strict=True):
        setup = new[match_id]
        real = _commitment(decode_setup(first.commands[0].data))
        if real != promised[match_id]:
            await database_sync_to_async(correct_row)(match_id, real)
        if real == _commitment(setup):  # of several calls, the one that began it
            names = ", ".join(seat.name for seat in setup.seats)
            logger.info("match %s: %s for %s", match_id, setup.mode, names)


def store_rows(new: Mapping[str, MatchSetup]) -> dict[str, str | None]:
    """The commitment that each match's row has; None when the match has ended already."""
    from django.db import IntegrityError

    try:
        _insert(new)
    except IntegrityError:
        if len(new) > 1:  # one of them is there already: each for itself
            return {i: store_rows({i: setup})[i] for i, setup in new.items()}
        (match_id,) = new
        return {match_id: _stored(match_id)}  # raises if it isn't there for another reason
    return {match_id: _commitment(setup) for match_id, setup in new.items()}


def _insert(new: Mapping[str, MatchSetup]) -> None:
    from django.db import transaction

    from games.models import Match, Seat

    with transaction.atomic():
        Match.objects.bulk_create(
            Match(
                id=match_id,
                mode=setup.mode,
                rules_version=setup.version,
                options=setup.options,
                rated=setup.rated,
                source=setup.source,
                commitment=_commitment(setup),
                previous_id=setup.previous,
            )
            for match_id, setup in new.items()
        )
        Seat.objects.bulk_create(
            Seat(
                match_id=match_id,
                number=number,
                user_id=seat.user_id,
                name=seat.name,
                kind=seat.kind,
                mode=setup.mode,
            )
            for match_id, setup in new.items()
            for number, seat in enumerate(setup.seats)
        )


def _stored(match_id: str) -> str | None:
    from games.models import Match

    row = Match.objects.get(id=match_id)
    return row.commitment if row.status == Match.Status.LIVE else None


def correct_row(match_id: str, promised: str) -> None:
    """Another call with this id stored its seed first."""
    from games.models import Match

    Match.objects.filter(id=match_id).update(commitment=promised)


def _commitment(setup: MatchSetup) -> str:
    return commitment(bytes.fromhex(setup.seed), bytes.fromhex(setup.deal))
