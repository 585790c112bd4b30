"""Redis and the database: reachable, new enough, durable, with clocks that agree."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from typing import Any, Final

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from games.redis.node import Node
from games.redis.servers import Servers
from games.redis.wire import Refused
from minesite.doctor.finding import Finding, good, problem, warning
from minesite.private_redis import OLDEST

PATIENCE: Final = 5.0
DRIFT: Final = 1
"""Seconds."""
CROWDED: Final = 0.8
"""Of `maxmemory`."""


async def redis_servers() -> list[Finding]:
    """Every Redis that the site uses: that of REDIS_URL, and all that have logs."""
    found: list[Finding] = []
    urls = {"REDIS_URL": settings.REDIS_URL}
    if settings.LIVE_REDIS_URL != settings.REDIS_URL:
        urls["LIVE_REDIS_URL"] = settings.LIVE_REDIS_URL
    for name, url in urls.items():
        has_logs = url == settings.LIVE_REDIS_URL
        servers = Servers(url)
        try:
            async with asyncio.timeout(PATIENCE):
                await servers.open()
            for node in servers.serving:
                found += await _redis(name, node, has_logs, servers.is_cluster)
        except TimeoutError:
            found.append(
                problem(f"{name}: no Redis answers there.", "Start it, or correct the address.")
            )
        finally:
            await servers.close()
    return found


async def _redis(name: str, node: Node, has_logs: bool, is_cluster: bool) -> list[Finding]:
    found: list[Finding] = []
    about = await _info(node)
    version = tuple(int(part) for part in about["redis_version"].split(".")[:2])
    where = f"{name} (Redis {about['redis_version']})"
    if version < OLDEST:
        oldest = ".".join(map(str, OLDEST))
        found.append(problem(f"{where} is too old.", f"Update it to {oldest} or newer."))
    if is_cluster and name == "REDIS_URL":
        found.append(
            problem(
                f"{where} is a cluster, which only the logs of matches can be on.",
                "Put the cluster into LIVE_REDIS_URL and a single Redis into REDIS_URL.",
            )
        )
    if has_logs:
        found += await _durability(where, node, about)
    limit, used = int(about.get("maxmemory", 0)), int(about["used_memory"])
    if limit and used > limit * CROWDED:
        share = f"{100 * used // limit} %"
        found.append(warning(f"{where} uses {share} of its memory.", "Raise maxmemory."))
    found += clock(where, int((await node.call("TIME"))[0]), int(time.time()))
    return found or [good(f"{where} is in order.")]


async def _durability(where: str, node: Node, about: dict[str, str]) -> list[Finding]:
    """An acknowledged move must survive a power cut."""
    found: list[Finding] = []
    if about.get("aof_enabled") != "1":
        found.append(
            problem(
                f"{where} has no append-only file: matches are lost when it restarts.",
                "Set `appendonly yes` in its configuration.",
            )
        )
    elif await _setting(node, "appendfsync") not in ("always", None):
        found.append(
            problem(
                f"{where} acknowledges moves before they are on the disk.",
                "Set `appendfsync always` in its configuration.",
            )
        )
    if about.get("aof_last_write_status", "ok") != "ok":
        found.append(problem(f"{where} can't write its file.", "Look at its disk and its log."))
    if await _setting(node, "maxmemory-policy") not in ("noeviction", None):
        found.append(
            problem(
                f"{where} drops keys when its memory is full, and matches with them.",
                "Set `maxmemory-policy noeviction` in its configuration.",
            )
        )
    replicas = int(about.get("connected_slaves", 0))
    if replicas < settings.LIVE_ACK_REPLICAS:
        found.append(
            problem(
                f"{where} has {replicas} replicas, but every move waits for"
                f" {settings.LIVE_ACK_REPLICAS}.",
                "Connect the missing replicas, or lower LIVE_ACK_REPLICAS.",
            )
        )
    return found


async def _info(node: Node) -> dict[str, str]:
    text: bytes = await node.call("INFO")
    lines = (line.partition(":") for line in text.decode().splitlines())
    return {name: value for name, _, value in lines if value}


async def _setting(node: Node, name: str) -> str | None:
    """None where the server does not tell, as many hosted ones don't."""
    try:
        found: list[Any] = await node.call("CONFIG", "GET", name)
    except Refused:
        return None
    return found[1].decode() if len(found) > 1 else None


def clock(where: str, theirs: int, ours: int) -> Iterator[Finding]:
    """Times in whole seconds."""
    drift = abs(theirs - ours)
    if drift > DRIFT:
        yield warning(
            f"The clock of {where} and this machine's differ by {drift} s.",
            "Let both follow the same time servers (NTP).",
        )


def database() -> Iterator[Finding]:
    """Reachable, with all migrations; the clock matters only where it is on another machine."""
    try:
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("SELECT extract(epoch FROM clock_timestamp())")
                yield from clock("the database", int(cursor.fetchone()[0]), int(time.time()))
    except DatabaseError as error:
        first_line = str(error).strip().splitlines()[0]
        yield problem(f"The database can't be used: {first_line}.", "Look at DATABASE_URL.")
        return
    if missing:
        yield problem(
            f"{len(missing)} migrations have not been applied.",
            "Run `manage.py prepare` on every machine before its processes start.",
        )
    else:
        yield good(f"The database ({connection.vendor}) is up to date.")
