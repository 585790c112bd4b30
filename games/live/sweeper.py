"""Looks after matches that no process hosts: their timers fire, their end is stored.

The sweeper is a host without sockets. `live:due` tells when to look at which match; a host that
lives keeps putting the time off. Several sweepers do no harm: ticks, drops and the archive count
once.
"""

from __future__ import annotations

import asyncio
import logging
from datetime import timedelta
from typing import Final

from channels.db import database_sync_to_async

from games.live.archive import LOST
from games.live.host import LEASE_MS, Host, NoSuchMatch, host
from games.live.log import DUE, key
from games.live.replica import Replica
from games.live.setup import UnknownRules

EVERY: Final = 0.5
AT_ONCE: Final = 50
FAR_MS: Final = 20_000
"""A match whose next timer is farther away is left alone until then."""
LOST_AFTER: Final = timedelta(minutes=2)
LOST_EVERY: Final = 60.0

logger = logging.getLogger(__name__)


class Sweeper:
    def __init__(self, here: Host) -> None:
        self._host = here
        self._held: dict[str, Replica] = {}

    async def sweep(self) -> None:
        """One round: take what is due, let go of what is done."""
        here = self._host
        if here.pulse.suspended:
            return
        now = here.pulse.now()
        due = await here.store.call("ZRANGEBYSCORE", DUE, "-inf", now, "LIMIT", 0, AT_ONCE)
        found = [raw.decode() for raw in due]
        await asyncio.gather(*(self._take(match_id) for match_id in found))
        for match_id, replica in list(self._held.items()):
            if await self._done(replica):
                del self._held[match_id]
                here.leave(replica, linger=0)

    async def _take(self, match_id: str) -> None:
        if match_id in self._held:
            return
        try:
            self._held[match_id] = await self._host.join(match_id)
        except NoSuchMatch:
            await self._host.store.call("ZREM", DUE, match_id)
        except UnknownRules as error:
            # A process with these rules may come; look again later.
            logger.warning("match %s: %s", match_id, error)
            await self._put_off(match_id, 60_000)
        except Exception:
            logger.exception("match %s cannot be loaded", match_id)
            await self._put_off(match_id, 60_000)

    async def _put_off(self, match_id: str, ms: int) -> None:
        now = self._host.pulse.now()
        await self._host.store.call("ZADD", DUE, "XX", now + ms, match_id)

    async def _done(self, replica: Replica) -> bool:
        """True when this match needs nobody for now."""
        if replica.gone:
            return True
        if replica.over is not None:
            try:
                await self._host.finish(replica)
            except Exception:
                logger.exception("match %s cannot be archived", replica.id)
                await self._put_off(replica.id, LEASE_MS)
            return True
        if await self._hosted_elsewhere(replica):
            await self._put_off(replica.id, LEASE_MS)
            return True
        pulse = self._host.pulse
        replica.seatings.drop_the_dead(pulse.living, pulse.now())
        return replica.alarm.due is not None and replica.alarm.due - pulse.now() > FAR_MS

    async def _hosted_elsewhere(self, replica: Replica) -> bool:
        """Is there another living host? Forgets the dead ones."""
        name, pulse = key(replica.id, "hosts"), self._host.pulse
        hosts = {raw.decode() for raw in await self._host.store.call("HKEYS", name)}
        dead = hosts - pulse.living
        if dead:
            await replica.log.forget_hosts(dead)
        return bool(hosts - dead - {pulse.process})


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
    """Rows that say live, without a log in Redis: never begun, or Redis lost its data. What has a
    log is looked after, though whoever began it may have died before it said when."""
    lost = []
    for match_id in await live_rows_without_news():
        if await here.store.call("EXISTS", key(match_id, "log")):
            await here.store.call("ZADD", DUE, "NX", here.pulse.now(), match_id)
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
