"""Views run in a few threads, however many requests there are."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest
from asgiref.sync import sync_to_async
from django.core.asgi import get_asgi_application

from minesite import view_threads
from minesite.view_threads import ViewThread, in_view_threads


async def test_a_few_threads_serve_all_requests():
    used: set[int] = set()
    most = busy = 0
    lock = threading.Lock()
    go_on = threading.Event()

    def view() -> int:
        nonlocal most, busy
        with lock:
            busy += 1
            most = max(most, busy)
            used.add(threading.get_ident())
        go_on.wait(10)
        with lock:
            busy -= 1
        return threading.get_ident()

    async def application(scope, receive, send) -> None:
        first = await sync_to_async(view)()
        assert await sync_to_async(threading.get_ident)() == first  # one request, one thread

    serve = in_view_threads(application, threads=3)
    requests = [asyncio.create_task(serve({}, None, None)) for _ in range(30)]
    async with asyncio.timeout(30):
        while len(used) < 3:
            await asyncio.sleep(0.01)
        go_on.set()
        await asyncio.gather(*requests)
    assert most == len(used) == 3


async def test_views_compute_one_after_another(monkeypatch):
    monkeypatch.setattr(view_threads, "PATIENCE", 60.0)
    running = most = 0

    def view() -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        sum(range(20_000))
        time.sleep(0.002)
        running -= 1

    async def application(scope, receive, send) -> None:
        await sync_to_async(view)()
        await sync_to_async(view)()

    serve = in_view_threads(application, threads=5)
    await asyncio.gather(*(serve({}, None, None) for _ in range(20)))
    assert most == 1


async def test_a_request_that_is_stuck_holds_up_nobody_else():
    stuck = threading.Event()

    async def application(scope, receive, send) -> None:
        await sync_to_async(stuck.wait if scope["stuck"] else threading.get_ident)()

    serve = in_view_threads(application, threads=2)
    late = asyncio.create_task(serve({"stuck": True}, None, None))
    await asyncio.sleep(0)
    async with asyncio.timeout(30):
        for _ in range(20):
            await serve({"stuck": False}, None, None)
    assert not late.done()
    stuck.set()
    await late


async def test_a_task_that_outlives_its_request_can_still_ask_the_database():
    tasks = []

    async def application(scope, receive, send) -> None:
        async def later() -> int:
            await asyncio.sleep(0.01)
            return await sync_to_async(threading.get_ident)()

        tasks.append(asyncio.create_task(later()))

    await in_view_threads(application, threads=1)({}, None, None)
    assert await tasks[0] != threading.get_ident()


@pytest.mark.django_db(transaction=True)
async def test_a_page_changes_threads_a_few_times(monkeypatch):
    """Each change costs the event loop, which has the sockets of live matches, a tenth of a
    millisecond and more; with Django's own middleware there were twenty."""
    changes = 0
    submit = ViewThread.submit

    def counted(self, call, /, *args, **kwargs):
        nonlocal changes
        changes += 1
        return submit(self, call, *args, **kwargs)

    monkeypatch.setattr(ViewThread, "submit", counted)
    serve = in_view_threads(get_asgi_application(), threads=1)
    sent = []
    messages = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive():
        return messages.pop() if messages else await asyncio.Event().wait()

    async def send(message) -> None:
        sent.append(message)

    headers = [(b"host", b"testserver")]
    scope = {"type": "http", "method": "GET", "path": "/privacy/", "headers": headers}
    await serve(scope, receive, send)
    assert sent[0]["status"] == 200
    names = {name.lower() for name, _value in sent[0]["headers"]}
    assert {b"content-security-policy", b"x-frame-options", b"x-content-type-options"} <= names
    assert 1 <= changes <= 8
