"""The end of a match, pushed to everybody who has work to do then.

The process that stores a match's last row adds it to one stream on the site's Redis. Each kind of
consumer has a group of its own there: every end is handled once per group, by whichever process
comes first, and again by another one if that process dies. So handling an end twice has to be
harmless. The sweeper adds ends that a process could not add before it died.

An end that can't be handled after several tries leaves the group's queue, so that it holds nobody
up, and is kept in `live:ends_failed:<group>` with the error (`manage.py doctor` shows it). The log
of such a match stays, and the sweeper announces it again every ten minutes: when the cause is gone,
it is handled, and it is forgotten here.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import msgspec
from prometheus_client import Counter
from redis.exceptions import RedisError, ResponseError

from games.engine.game import Outcome
from games.redis import key, redis

STREAM: Final = "live:ended"
FAILED: Final = "live:ends_failed"
"""Of each group a hash: match -> the error of the last try."""
ARCHIVE: Final = "archive"
"""The group that stores matches in the database."""
KEPT: Final = 10_000
"""Ends that the stream keeps, at least."""
OUTCOME_SECONDS: Final = 24 * 3600
AGAIN_AFTER_MS: Final = 10_000
"""An end that a consumer took and did not handle within this time goes to another one."""
TRIES: Final = 12
"""Of a new end, so for two minutes; of one that failed before, one."""
BLOCK_MS: Final = 1_000
AT_ONCE: Final = 50

GIVEN_UP: Final = Counter(
    "minesite_ends_given_up", "Ends of matches that could not be handled, by group", ["group"]
)

HandleOne = Callable[[str, Outcome], Awaitable[Any]]
Handle = Callable[[Mapping[str, Outcome]], Awaitable[Mapping[str, Exception]]]
"""Handles ends, the earliest first, and returns the errors of those that it could not handle."""
logger = logging.getLogger(__name__)


class NotNow(Exception):
    """A handler's error: the server that has the log is away. The end is handled later, and
    others go on."""


def outcome_key(match_id: str) -> str:
    return key(f"live:outcome:{match_id}")


async def announce(match_id: str, outcome: Outcome) -> None:
    """Say that a match is over. Repeatable."""
    raw = msgspec.json.encode(outcome.as_json())
    async with redis().pipeline(transaction=True) as pipe:
        pipe.set(outcome_key(match_id), raw, ex=OUTCOME_SECONDS)
        pipe.xadd(key(STREAM), {"match": match_id, "outcome": raw}, maxlen=KEPT, approximate=True)
        await pipe.execute()


async def outcomes(match_ids: list[str]) -> dict[str, Outcome]:
    """Those of these matches that are over, for a day."""
    if not match_ids:
        return {}
    found = await redis().mget([outcome_key(match_id) for match_id in match_ids])
    return {
        match_id: Outcome.from_json(msgspec.json.decode(raw))
        for match_id, raw in zip(match_ids, found, strict=True)
        if raw is not None
    }


def one_by_one(handle: HandleOne) -> Handle:
    """For a handler that gains nothing from handling several ends together."""

    async def handle_all(ended: Mapping[str, Outcome]) -> dict[str, Exception]:
        errors: dict[str, Exception] = {}
        for match_id, outcome in ended.items():
            try:
                await handle(match_id, outcome)
            except (RedisError, OSError):
                raise
            except Exception as error:
                errors[match_id] = error
        return errors

    return handle_all


async def consume(group: str, consumer: str, handle: Handle, stop: asyncio.Event) -> None:
    """Handle every end, from the time the group was first used, until `stop`. An end whose handler
    fails is tried again, `TRIES` times."""
    await _make_group(group)
    while not stop.is_set():
        try:
            await consume_new(group, consumer, handle, BLOCK_MS)
        except ResponseError:
            await _make_group(group)  # Redis lost its data


async def consume_new(
    group: str, consumer: str, handle: Handle, block_ms: int | None = None
) -> None:
    """Handle the ends that nobody has handled yet; with `block_ms`, wait for one that long."""
    name = key(STREAM)
    if block_ms is None:
        await _make_group(group)
    late = await redis().xautoclaim(
        name, group, consumer, min_idle_time=AGAIN_AFTER_MS, count=AT_ONCE
    )
    new = await redis().xreadgroup(group, consumer, {name: ">"}, AT_ONCE, block_ms)
    rows = [*late[1], *(row for _stream, rows in new for row in rows)]
    identities: dict[str, list[bytes]] = {}  # an end may be announced twice
    ended: dict[str, Outcome] = {}
    errors: dict[str, Exception] = {}
    for identity, fields in rows:
        match_id = fields[b"match"].decode()
        identities.setdefault(match_id, []).append(identity)
        try:
            ended[match_id] = Outcome.from_json(msgspec.json.decode(fields[b"outcome"]))
        except Exception as unreadable:
            errors[match_id] = unreadable
    if ended:
        errors |= await handle(ended)
    handled = [match_id for match_id in identities if match_id not in errors]
    if handled:
        await redis().hdel(failed_key(group), *handled)
        await redis().xack(name, group, *(one for i in handled for one in identities[i]))
    for match_id, error in errors.items():
        if isinstance(error, NotNow | RedisError | OSError):
            continue
        logger.error("%s cannot handle the end of match %s", group, match_id, exc_info=error)
        for identity in identities[match_id]:
            if await _give_up(group, identity, match_id, error):
                await redis().xack(name, group, identity)
    for error in errors.values():
        if isinstance(error, RedisError | OSError):
            raise error  # the job starts again after a pause


def failed_key(group: str) -> str:
    return key(f"{FAILED}:{group}")


async def failed(group: str) -> dict[str, str]:
    """The matches whose ends this group could not handle, each with the error."""
    found = await redis().hgetall(failed_key(group))
    return {match_id.decode(): error.decode() for match_id, error in found.items()}


async def has_failed(group: str, match_id: str) -> bool:
    return bool(await redis().hexists(failed_key(group), match_id))


async def _give_up(group: str, identity: bytes, match_id: str, error: Exception) -> bool:
    """Whether this end was tried often enough. Then it is kept with the error."""
    if not await has_failed(group, match_id):
        (pending,) = await redis().xpending_range(key(STREAM), group, identity, identity, 1)
        if pending["times_delivered"] < TRIES:
            return False
        logger.error("%s gives up the end of match %s for now", group, match_id)
        GIVEN_UP.labels(group).inc()
    await redis().hset(failed_key(group), match_id, f"{type(error).__name__}: {error}")
    return True


async def _make_group(group: str) -> None:
    try:
        await redis().xgroup_create(key(STREAM), group, id="0", mkstream=True)
    except ResponseError as error:
        if "BUSYGROUP" not in str(error):
            raise
