from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import msgspec
import pytest
from channels.db import database_sync_to_async

from accounts import push
from accounts.models import User
from games.push import sender
from tests.push.service import Browser, PushService


@pytest.fixture
def service(tmp_path: Path, settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[PushService]:
    """A push service that the site trusts and may connect to."""
    running = PushService(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(running.certificate))
    settings.PUSH_TO_PRIVATE_ADDRESSES = True
    yield running
    running.close()
    assert not running.errors


@pytest.fixture
async def worker(service: PushService, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """The worker's job."""
    monkeypatch.setattr(sender, "WAIT", 0.05)  # it looks after each wait whether it has to stop
    stop = asyncio.Event()
    job = asyncio.create_task(sender.run(stop))
    yield
    stop.set()
    await job


async def switch_on(user: User, browser: Browser, language: str = "en") -> None:
    raw = msgspec.json.encode(browser.subscription)
    await database_sync_to_async(push.subscribe)(
        user, raw, session_key="s", language=language, user_agent="Firefox/130.0 Linux"
    )
