"""A recording of a release: a database, the keys in Redis, and views of running matches.

Keys are stored by type, not as Redis' own dumps, because older servers refuse those of newer ones.
"""

from __future__ import annotations

import base64
import gzip
import json
import sqlite3
from pathlib import Path
from typing import Any

from redis import Redis

RECORDED = Path(__file__).parent / "recorded"
DATABASE, KEYS, MATCHES = "database.sql.gz", "redis.json.gz", "matches.json"


def dump_database(source: Path, folder: Path) -> None:
    connection = sqlite3.connect(source)
    try:
        text = "\n".join(connection.iterdump())
    finally:
        connection.close()
    (folder / DATABASE).write_bytes(gzip.compress(text.encode(), mtime=0))


def load_database(folder: Path, target: Path) -> None:
    connection = sqlite3.connect(target)
    try:
        connection.executescript(gzip.decompress((folder / DATABASE).read_bytes()).decode())
    finally:
        connection.close()


def dump_keys(client: Redis, folder: Path) -> None:
    found = {}
    for key in sorted(client.scan_iter(count=1000)):
        kind = client.type(key).decode()
        found[key.decode()] = [kind, client.pttl(key), _as_text(_read(client, kind, key))]
    text = json.dumps(found, indent=0)
    (folder / KEYS).write_bytes(gzip.compress(text.encode(), mtime=0))


def load_keys(client: Redis, folder: Path) -> None:
    recorded = json.loads(gzip.decompress((folder / KEYS).read_bytes()))
    for key, (kind, expires, value) in recorded.items():
        _write(client, kind, key, _as_bytes(value))
        if expires > 0:
            client.pexpire(key, expires)


def load_matches(folder: Path) -> dict[str, Any]:
    """By id: the mode, the number of entries, and the mode's view of every seat."""
    return json.loads((folder / MATCHES).read_text())


def _read(client: Redis, kind: str, key: bytes) -> Any:
    match kind:
        case "string":
            return client.get(key)
        case "hash":
            return [[name, value] for name, value in client.hgetall(key).items()]
        case "set":
            return sorted(client.smembers(key))
        case "zset":
            return [
                [name, str(score).encode()]
                for name, score in client.zrange(key, 0, -1, withscores=True)
            ]
        case "list":
            return client.lrange(key, 0, -1)
        case "stream":
            return [
                [row, *[part for pair in fields.items() for part in pair]]
                for row, fields in client.xrange(key)
            ]
    raise ValueError(f"no form for {kind}")


def _write(client: Redis, kind: str, key: str, value: Any) -> None:
    match kind:
        case "string":
            client.set(key, value)
        case "hash":
            client.hset(key, items=[part for pair in value for part in pair])
        case "set":
            client.sadd(key, *value)
        case "zset":
            client.zadd(key, {name: float(score) for name, score in value})
        case "list":
            client.rpush(key, *value)
        case "stream":
            for row, *parts in value:
                client.execute_command("XADD", key, row, *parts)


def _as_text(value: Any) -> Any:
    if isinstance(value, list):
        return [_as_text(part) for part in value]
    return base64.b64encode(value).decode()


def _as_bytes(value: Any) -> Any:
    if isinstance(value, list):
        return [_as_bytes(part) for part in value]
    return base64.b64decode(value)
