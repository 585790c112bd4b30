from __future__ import annotations

import pytest

from minesite import lifespan
from minesite.asgi import application
from minesite.origin import origin_allowed
from tests.communicator import PatientCommunicator


def scope(host: str | None, origin: str | None, scheme: str = "ws") -> dict:
    headers = [(b"host", host.encode())] if host else []
    if origin is not None:
        headers.append((b"origin", origin.encode()))
    return {"type": "websocket", "scheme": scheme, "headers": headers}


@pytest.mark.parametrize(
    ("host", "origin", "scheme", "allowed"),
    [
        ("play.example:8000", "http://play.example:8000", "ws", True),
        ("play.example", "https://play.example", "wss", True),
        ("play.example", "https://play.example:443", "wss", True),
        ("play.example", "https://PLAY.example", "wss", True),
        ("play.example", "http://play.example", "wss", False),  # another scheme
        ("play.example:8000", "http://play.example:8001", "ws", False),  # another port
        ("play.example", "https://evil.example", "wss", False),
        ("play.example", "https://play.example.evil.example", "wss", False),
        ("play.example", "null", "wss", False),
        ("play.example", "", "wss", False),
        ("play.example", "https://play.example:port", "wss", False),
        ("evil.example", "https://evil.example", "wss", False),  # not our host at all
        (None, None, "ws", False),
        ("play.example", None, "ws", True),  # no browser
        ("play.example", "https://partner.example", "wss", True),  # a trusted origin
    ],
)
def test_only_own_and_trusted_origins_are_allowed(settings, host, origin, scheme, allowed):
    settings.ALLOWED_HOSTS = ["play.example"]
    settings.CSRF_TRUSTED_ORIGINS = ["https://partner.example"]
    assert origin_allowed(scope(host, origin, scheme)) is allowed


@pytest.mark.django_db(transaction=True)
async def test_a_foreign_page_and_an_unknown_address_are_refused_at_the_handshake():
    for path, origin in (
        ("/ws/lobby/", b"http://evil.example"),
        ("/ws/nowhere/", b"http://testserver"),
    ):
        headers = [(b"host", b"testserver"), (b"origin", origin)]
        socket = PatientCommunicator(application, path, headers=headers)
        connected, _code = await socket.connect()
        assert not connected
        await socket.disconnect()
    await lifespan.finish()
