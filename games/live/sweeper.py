"""Looks after matches that no process hosts: fires their timers, and has them stored at the end.

The sweeper is a host without sockets. `live:due` says when to look at which match; a living host
keeps putting the time off. Several sweepers do no harm: ticks, drops and ends count once.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from typing import Final

from channels.db import database_sync_to_async

from games.live import ends, stored_log
from games.live.archive import LOST
from games.live.host import DUE, LEASE_MS, Host, NoSuchMatch, host
from games.live.replica import Replica
from games.live.setup import UnknownRules
from games.redis import key

EVERY: Final = 0.5
AT_ONCE: Final = 50
FAR_MS: Final = 20_000
"""A match whose next timer is farther away is left alone until then."""
AWAY_MS: Final = 2_000
"""A match whose server is away is looked at again after this time."""
LOADS_WITHIN: Final = 10.0
STUCK_MS: Final = 10 * 60_000
"""A match that could not be stored is tried again this much later."""
LOST_AFTER: Final = timedelta(minutes=2)
LOST_EVERY: Final = 60.0

logger = logging.getLogger(__name__)


class Sweeper:
    def __init__(self, here: Host) -> None:
        self._host = here
        self._held: dict[str, Replica] = {}

    async def sweep(self) -> None:
        """Run one round: host the matches that are due and release those that have ended."""
        here = self._host
        if here.heartbeat.suspended:
            return
        now = here.heartbeat.now()
        due = await here.site.call("ZRANGEBYSCORE", key(DUE), "-inf", now, "LIMIT", 0, AT_ONCE)
        await asyncio.gather(*(self._take(raw.decode()) for raw in due))
        for match_id, replica in list(self._held.items()):
            if await self._done(replica):
                del self._held[match_id]
                here.leave(replica, linger=0)

    async def _take(self, match_id: str) -> None:
        if match_id in self._held:
            return
        if not self._host.is_reachable(match_id):
            await self._put_off(match_id, AWAY_MS)
            return
        try:
            async with asyncio.timeout(LOADS_WITHIN):
                self._held[match_id] = await self._host.join(match_id)
        except TimeoutError:
            await self._put_off(match_id, AWAY_MS)
        except NoSuchMatch:
            await self._host.site.call("ZREM", key(DUE), match_id)
        except UnknownRules as error:
            # A process with these rules may come; look again later.
            logger.warning("match %s: %s", match_id, error)
            await self._put_off(match_id, 60_000)
        except Exception:
            logger.exception("match %s cannot be loaded", match_id)
            await self._put_off(match_id, 60_000)

    async def _put_off(self, match_id: str, ms: int) -> None:
        at = self._host.heartbeat.now() + ms
        await self._host.site.call("ZADD", key(DUE), "XX", at, match_id)

    async def _done(self, replica: Replica) -> bool:
        """True when this match needs nobody for now."""
        if replica.gone:
            return True
        heartbeat, living = replica.heartbeat, self._host.heartbeats.living
        if replica.over is not None:
            return await self._has_ended(replica)
        if replica.log.proposer.others & living:
            await self._put_off(replica.id, LEASE_MS)
            return True
        if heartbeat.suspended:
            return False
        replica.seats.drop_dead(living, heartbeat.now())
        due = replica.timer.due
        return due is not None and due - heartbeat.now() > FAR_MS

    async def _has_ended(self, replica: Replica) -> bool:
        """A process may have died before it closed the log, or before it announced the end."""
        if not replica.has_last_row:
            if replica.log.proposer.is_idle:
                replica.enter_last_row()
            return False
        assert replica.over is not None
        await ends.announce(replica.id, replica.over)
        # The archive takes it off the list; if it can't, the end is announced again.
        is_stuck = await ends.has_failed(ends.ARCHIVE, replica.id)
        await self._put_off(replica.id, STUCK_MS if is_stuck else LEASE_MS)
        return True


@database_sync_to_async
def live_rows_without_news() -> list[str]:
    from django.utils import timezone

    from games.models import Match

    long_ago = timezone.now() - LOST_AFTER
    rows = Match.objects.filter(status=Match.Status.LIVE, created_at__lt=long_ago)
    return list(rows.values_list("pk", flat=True))


@database_sync_to_async
def close_row(match_id: str) -> None:
    from django.utils import timezone

    from games.models import Match

    rows = Match.objects.filter(pk=match_id, status=Match.Status.LIVE)
    rows.update(status=Match.Status.ABORTED, reason=LOST, ended_at=timezone.now())


async def close_lost(here: Host) -> list[str]:
    """Close matches of the database that are live there and have no log in Redis: they were never
    begun, or Redis lost its data. Matches with a log are put on the list again."""
    lost = []
    for match_id in await live_rows_without_news():
        if not here.is_reachable(match_id):
            continue  # its server may be away
        if await stored_log.exists(here.servers, match_id):
            await here.site.call("ZADD", key(DUE), "NX", here.heartbeat.now(), match_id)
        else:
            logger.error("match %s is lost: no log in Redis", match_id)
            await close_row(match_id)
            lost.append(match_id)
    return lost


async def run(stop: asyncio.Event) -> None:
    """The worker's job."""
    here = host(serving=False)
    await here.opened()
    sweeper = Sweeper(here)
    looked = 0.0
    while not stop.is_set():
        await sweeper.sweep()
        now = asyncio.get_running_loop().time()
        if now - looked > LOST_EVERY:
            looked = now
            await close_lost(here)
        try:
            await asyncio.wait_for(stop.wait(), EVERY)
        except TimeoutError:
            continue
