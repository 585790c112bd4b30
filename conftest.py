"""Fixtures of every test: here, so that the tests in the modes' own folders have them too."""

from __future__ import annotations

import gc
import secrets
from collections.abc import AsyncIterator, Iterator

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings as django_settings
from django.db import connections
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings
from redis.asyncio.connection import AbstractConnection

from games import redis as site_redis
from lobby import creation
from minesite import private_redis
from tests.closing import close_all
from tests.redis_server import redis_server
from tests.running_site import RunningSite, new_site

pytest_plugins = ["tests.web.browser"]

# A busy machine is slow: how long an example takes says nothing about the code.
hypothesis_settings.register_profile(
    "any-machine", deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
hypothesis_settings.load_profile("any-machine")


@pytest.fixture(scope="session", autouse=True)
def redis_process() -> Iterator[None]:
    """A Redis for this test process, at settings.REDIS_URL: the oldest supported version, if this
    Python has it. The sites that tests start take the system's, which is newer."""
    folder = django_settings.DATA_DIR / "redis"
    with redis_server(django_settings.REDIS_URL, folder, private_redis.bundled()):
        yield
        site_redis.close_sync()


@pytest.fixture(autouse=True)
def redis_prefix(settings) -> str:
    """No test sees another one's keys: not in the log, the channel layer or the cache."""
    prefix = f"t{secrets.token_hex(6)}:"
    settings.REDIS_PREFIX = prefix
    layer = settings.CHANNEL_LAYERS["default"]
    settings.CHANNEL_LAYERS = {
        "default": {**layer, "CONFIG": {**layer["CONFIG"], "prefix": f"{prefix}asgi"}}
    }
    cache = settings.CACHES["default"]
    settings.CACHES = {"default": {**cache, "KEY_PREFIX": f"{prefix}cache"}}
    return prefix


@pytest.fixture(autouse=True)
def _no_countdown(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches made in this process start when all are ready: nobody has to be warned."""
    monkeypatch.setattr(creation, "COUNTDOWN_MS", 0)


@pytest.fixture
async def _closes_redis() -> AsyncIterator[None]:
    yield
    await close_all()
    # Where asynchronous code asked the database, a thread still holds a connection to it.
    await sync_to_async(connections.close_all)()


@pytest.fixture(autouse=True)
def _no_redis_client_stays_open(request: pytest.FixtureRequest) -> None:
    """An async test's loop ends with it, and its Redis client must end before that."""
    if request.node.get_closest_marker("asyncio"):
        request.getfixturevalue("_closes_redis")


@pytest.fixture(scope="module", autouse=True)
def _no_connection_stays_open() -> Iterator[None]:
    """Otherwise redis-py warns of it when Python ends, and nobody learns whose it was."""
    yield
    found = [one for one in gc.get_objects() if issubclass(type(one), AbstractConnection)]
    assert [one for one in found if one.is_connected] == []


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    """The whole site, started once per test process with `manage.py up`. Database and Redis are
    its own: reach them through `site.manage()` and `site.python()`, not through `db`."""
    running = new_site(tmp_path_factory.mktemp("site") / "var")
    try:
        running.start()
        yield running
    finally:
        running.stop()
