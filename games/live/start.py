"""Beginning a match: a row in the database, entry 0 in Redis."""

from __future__ import annotations

import logging
from typing import Any

from channels.db import database_sync_to_async

from games.engine import registry
from games.engine.rng import commitment
from games.live.host import host
from games.live.log import Log
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
    """Make a match that anybody can join now; returns its id.

    With a `match_id` it may be called again, also at the same time, by whoever does not know
    whether it was carried out: there is one match of that id, with the seed stored first.
    Raises KeyError for an unknown mode, BadOptions, and ValueError for a wrong number of seats.
    """
    game = registry.game(mode)
    game.parse_options(options)
    if not game.spec.min_seats <= len(seats) <= game.spec.max_seats:
        raise ValueError(f"{mode} is for {game.spec.min_seats} to {game.spec.max_seats} players")
    setup = MatchSetup(
        mode=mode,
        version=game.spec.version,
        seed=new_seed(),
        deal=deal.hex(),
        seats=seats,
        options=options,
        rated=rated,
        source=source,
        previous=previous,
    )
    match_id = match_id or new_id()
    here = host()
    await here.opened()
    # The row first: a row without a log is found and closed, a log without a row would be lost.
    promised = await database_sync_to_async(store_row)(match_id, setup)
    if promised is None:
        return match_id
    log = Log(here.store, match_id)
    await log.create(setup.encode())
    first, _snapshot = await log.head()
    real = promised if first is None else _commitment(decode_setup(first.data))
    if real != promised:
        await database_sync_to_async(correct_row)(match_id, real)
    if real == _commitment(setup):  # of several calls, the one that began it
        logger.info("match %s: %s for %s", match_id, mode, ", ".join(s.name for s in seats))
    return match_id


def store_row(match_id: str, setup: MatchSetup) -> str | None:
    """The commitment that the row has; None when its match has ended already."""
    from django.db import IntegrityError, transaction

    from games.models import Match, Seat

    promised = _commitment(setup)
    try:
        with transaction.atomic():
            Match.objects.create(
                id=match_id,
                mode=setup.mode,
                rules_version=setup.version,
                options=setup.options,
                rated=setup.rated,
                source=setup.source,
                commitment=promised,
                previous_id=setup.previous,
            )
            Seat.objects.bulk_create(
                Seat(
                    match_id=match_id,
                    number=i,
                    user_id=s.user_id,
                    name=s.name,
                    kind=s.kind,
                    mode=setup.mode,
                )
                for i, s in enumerate(setup.seats)
            )
    except IntegrityError:
        row = Match.objects.filter(id=match_id).first()
        if row is None:
            raise
        return row.commitment if row.status == Match.Status.LIVE else None
    return promised


def correct_row(match_id: str, promised: str) -> None:
    """Another call with this id stored its seed first."""
    from games.models import Match

    Match.objects.filter(id=match_id).update(commitment=promised)


def _commitment(setup: MatchSetup) -> str:
    return commitment(bytes.fromhex(setup.seed), bytes.fromhex(setup.deal))
