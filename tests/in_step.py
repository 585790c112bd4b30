"""Two transactions on PostgreSQL in the worst order, the same in every run."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Generic, TypeVar

import psycopg
from django.db import connection

T = TypeVar("T")


class InStep(Generic[T]):
    """The second one begins once `begins` says so of a statement of the first. After this and each
    further statement of the first, the second goes on until it waits for a lock or is done."""

    def __init__(self, begins: Callable[[str], bool]) -> None:
        self._begins = begins
        self._future: Future[T] | None = None
        own = connection.settings_dict
        where = {"dbname": own["NAME"], "user": own["USER"], "host": own["HOST"]}
        self._observer = psycopg.connect(**where, autocommit=True)
        self._threads = ThreadPoolExecutor(2)

    def run(self, first: Callable[[], T], second: Callable[[], T]) -> tuple[T, T]:
        """What both return."""

        def in_own_connection() -> T:
            with contextlib.closing(connection):
                return second()

        def step(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
            result = execute(sql, params, many, context)
            if self._future is None:
                if not self._begins(sql):
                    return result
                self._future = self._threads.submit(in_own_connection)
            while not (self._future.done() or self._is_anybody_waiting()):
                time.sleep(0.001)
            return result

        def watched() -> T:
            with contextlib.closing(connection), connection.execute_wrapper(step):
                return first()

        with self._threads, self._observer:
            done = self._threads.submit(watched).result()
            assert self._future is not None, "the second one never began"
            return done, self._future.result()

    def _is_anybody_waiting(self) -> bool:
        found = self._observer.execute("SELECT count(*) FROM pg_locks WHERE NOT granted").fetchone()
        return found != (0,)
