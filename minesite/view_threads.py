"""The threads in which views run: a few for all requests of a process, of which one computes.

Django gives every request a thread of its own. Those threads take turns with the event loop, which
has the sockets of the live matches, and Python's turns are neither short nor fair: beside four
threads that compute, the loop waits 45 ms for its turn (99 %), beside one 5 ms, and 1.3 ms when a
turn lasts one. As all of them share one processor anyway, views compute one after another. One that
waits for something else (a locked database, a mail server) holds the others up for a moment only.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Any, Final, TypeVar

from asgiref.sync import SyncToAsync, ThreadSensitiveContext

THREADS: Final = 8
TURN: Final = 0.001
"""Seconds after which a thread lets the next one go on; Python's own is 0.005."""
PATIENCE: Final = 0.05
"""Seconds without any processor time after which a view is taken to wait for something."""
CAN_TELL: Final = hasattr(time, "pthread_getcpuclockid")
"""Elsewhere than on Linux a view that takes long is taken to wait."""

Application = Callable[[dict[str, Any], Any, Any], Awaitable[None]]
T = TypeVar("T")


class Turns:
    """One thread computes at a time, unless it waits for something."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._clock = 0

    def take(self) -> bool:
        """Wait for the thread that computes; False when it doesn't, but holds the turn."""
        if self._lock.acquire(timeout=PATIENCE):
            return self._taken()
        used = self._used()
        while not self._lock.acquire(timeout=PATIENCE):
            before, used = used, self._used()
            if used == before:
                return False
        return self._taken()

    def _taken(self) -> bool:
        if CAN_TELL:
            self._clock = time.pthread_getcpuclockid(threading.get_ident())
        return True

    def _used(self) -> float:
        """The processor time of the thread that has the turn."""
        return time.clock_gettime(self._clock) if CAN_TELL else 0.0

    def give_back(self) -> None:
        self._lock.release()


class ViewThread(ThreadPoolExecutor):
    def __init__(self, number: int, turns: Turns) -> None:
        super().__init__(1, thread_name_prefix=f"view-{number}")
        self.requests = 0
        self._turns = turns

    def submit(self, call: Callable[..., T], /, *args: Any, **kwargs: Any) -> Future[T]:
        return super().submit(self._in_turn, call, *args, **kwargs)

    def _in_turn(self, call: Callable[..., T], *args: Any, **kwargs: Any) -> T:
        alone = self._turns.take()
        try:
            return call(*args, **kwargs)
        finally:
            if alone:
                self._turns.give_back()


def in_view_threads(application: Application, threads: int = THREADS) -> Application:
    """Everything synchronous of a request runs in one of so many threads: the one with the fewest
    requests, so that nobody waits behind one that is stuck."""
    sys.setswitchinterval(TURN)
    turns = Turns()
    pool = [ViewThread(number, turns) for number in range(1, threads + 1)]

    async def serve(scope: dict[str, Any], receive: Any, send: Any) -> None:
        thread = min(pool, key=lambda one: one.requests)
        thread.requests += 1
        # Not entered, so that a task which outlives its request keeps the thread.
        context = ThreadSensitiveContext()
        SyncToAsync.context_to_thread_executor[context] = thread
        token = SyncToAsync.thread_sensitive_context.set(context)
        try:
            await application(scope, receive, send)
        finally:
            SyncToAsync.thread_sensitive_context.reset(token)
            thread.requests -= 1

    return serve
