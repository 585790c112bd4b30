"""The keys of a match in Redis, and its log for whoever doesn't host the match: create, read,
expire.

All keys carry the hash tag `{id}` and so live on one node of a cluster.

| key | what |
|---|---|
| `m:{id}:log` | stream of rows (row.py) |
| `m:{id}:snap` | snapshot of the match (match_state.py), now and then |
| `m:{id}:watchers` | hash: process -> its spectators |
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from games.live.entry import SETUP, Entry
from games.live.row import Command, Row, entries_of, from_stream
from games.redis import key
from games.redis.servers import Servers
from games.redis.wire import Refused

KEPT_SECONDS: Final = 15 * 60
"""How long the keys of an archived match stay, for clients that still show it."""
SMALLER_ID: Final = "ERR The ID specified in XADD is equal or smaller"
"""Redis' answer to a row number that is taken."""


def match_key(match_id: str, name: str) -> str:
    return key(f"m:{{{match_id}}}:{name}")


async def create(servers: Servers, match_id: str, process: str, now: int, setup: bytes) -> Row:
    """Write row 1, the set-up, and return it: the one that is there, if it was written before."""
    row = Row(1, process, now, [Command(SETUP, data=setup)])
    log = match_key(match_id, "log")
    try:
        await servers.call("XADD", log, "1-0", process, row.encode())
    except Refused as error:
        if not str(error).startswith(SMALLER_ID):
            raise
    first = await first_row(servers, match_id)
    return row if first is None else first


async def first_row(servers: Servers, match_id: str) -> Row | None:
    """The set-up; None when there is no such match."""
    found = await servers.call("XRANGE", match_key(match_id, "log"), "-", "+", "COUNT", 1)
    return from_stream(found[0]) if found else None


async def read_rows(servers: Servers, match_id: str, first: int | None = None) -> list[Row]:
    """All rows, or those from this number on."""
    start = "-" if first is None else f"{first}-0"
    found = await servers.call("XRANGE", match_key(match_id, "log"), start, "+")
    return [from_stream(item) for item in found]


async def read_entries(servers: Servers, match_id: str) -> list[Entry]:
    return list(entries_of(await read_rows(servers, match_id)))


async def snapshot(servers: Servers, match_id: str) -> bytes | None:
    found: bytes | None = await servers.call("GET", match_key(match_id, "snap"))
    return found


async def exists(servers: Servers, match_id: str) -> bool:
    return bool(await servers.call("EXISTS", match_key(match_id, "log")))


async def expire(servers: Servers, match_id: str) -> None:
    """The database has the match: the keys may go."""
    for name in ("log", "snap", "watchers"):
        await servers.call("EXPIRE", match_key(match_id, name), KEPT_SECONDS)


async def delete(servers: Servers, match_id: str) -> None:
    """The keys of an archived match go at once."""
    for name in ("log", "snap", "watchers"):
        await servers.call("DEL", match_key(match_id, name))


Confirm = Callable[[], Awaitable[None]]
