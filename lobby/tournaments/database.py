"""Channels' `database_sync_to_async` with types."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import ParamSpec, TypeVar, cast

from channels.db import database_sync_to_async

P = ParamSpec("P")
T = TypeVar("T")


def in_thread(function: Callable[P, T]) -> Callable[P, Awaitable[T]]:
    """The same function for the event loop: it runs in the thread that has the database."""
    return cast(Callable[P, Awaitable[T]], database_sync_to_async(function))
