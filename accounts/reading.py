"""Short reads of the database from the event loop, without a new connection for each.

Channels' `database_sync_to_async` closes the connection after every call, and opening one costs
several times as much as reading a row. Here the thread keeps its connection until somebody else's
call in that thread closes it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from asgiref.sync import sync_to_async
from django.db import Error, InterfaceError, OperationalError, connection

P = ParamSpec("P")
T = TypeVar("T")


async def read(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a function that only reads. A connection that broke while nobody used it is replaced,
    and the function called again."""
    return await sync_to_async(_call)(function, *args, **kwargs)


def _call(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    was_kept = connection.connection is not None
    try:
        return function(*args, **kwargs)
    except (InterfaceError, OperationalError):
        connection.close_if_unusable_or_obsolete()
        if not was_kept or connection.connection is not None:
            raise
        return function(*args, **kwargs)
    except Error:
        connection.close_if_unusable_or_obsolete()
        raise
