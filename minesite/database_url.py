"""DATABASE_URL -> Django's DATABASES entry."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

WORKER_WAITS: Final = 20
WEB_WAITS: Final = 3
"""Seconds that a process waits for SQLite's one writer. A visitor gets a 503 soon; jobs have
time."""


def sqlite(path: str | Path) -> dict[str, Any]:
    """SQLite as a server: readers don't wait for the writer, a commit survives a power cut, and a
    transaction takes its write lock at the start instead of failing half way."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(path),
        "OPTIONS": {
            "timeout": WORKER_WAITS,
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
        },
    }


def answer_soon(entry: dict[str, Any]) -> None:
    """For a process that serves visitors: change the entry before the first connection."""
    if entry["ENGINE"] == "django.db.backends.sqlite3":
        entry["OPTIONS"]["timeout"] = WEB_WAITS


def postgresql(url: str) -> dict[str, Any]:
    parts = urlsplit(url)
    try:
        port = parts.port
    except ValueError as error:
        raise ImproperlyConfigured(f"DATABASE_URL has a bad port: {error}.") from error
    options: dict[str, Any] = dict(parse_qsl(parts.query))
    # libpq also takes the host as ?host=/folder/of/the/socket
    host = options.pop("host", None) or unquote(parts.hostname or "")
    options["pool"] = {"min_size": 0, "max_size": 8, "timeout": 20}
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": unquote(parts.path.lstrip("/")),
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": host,
        "PORT": str(port or ""),
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
    }


def database(url: str, default_sqlite: Path) -> dict[str, Any]:
    """postgresql://user:password@host:port/name, sqlite:////absolute/path, or nothing at all."""
    if not url:
        return sqlite(default_sqlite)
    scheme = urlsplit(url).scheme
    if scheme in {"postgres", "postgresql"}:
        return postgresql(url)
    if scheme == "sqlite":
        return sqlite(unquote(urlsplit(url).path.removeprefix("/")) or default_sqlite)
    raise ImproperlyConfigured(
        "DATABASE_URL must begin with postgresql:// or sqlite:///, not " + repr(url.split(":")[0])
    )
