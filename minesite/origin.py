"""A WebSocket from a browser must come from a page of this site."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host

Application = Callable[[dict[str, Any], Any, Any], Awaitable[None]]

_PORTS = {"http": 80, "https": 443}


def _origin(url: str) -> tuple[str, str, int | None] | None:
    try:
        parts = urlsplit(url)
        return parts.scheme, parts.hostname or "", parts.port or _PORTS.get(parts.scheme)
    except ValueError:
        return None


def host_allowed(host: str) -> bool:
    domain, _port = split_domain_port(host)
    allowed = settings.ALLOWED_HOSTS
    if settings.DEBUG and not allowed:
        allowed = [".localhost", "127.0.0.1", "[::1]"]
    return bool(domain) and validate_host(domain, allowed)


def origin_allowed(scope: dict[str, Any]) -> bool:
    """Whether the Host is ours and the Origin, when sent, has its scheme, name and port.

    Browsers always send an Origin; programs that don't, carry no one else's cookies.
    """
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    host = headers.get(b"host", "")
    if not host_allowed(host):
        return False
    if b"origin" not in headers:
        return True
    given = _origin(headers[b"origin"])
    scheme = "https" if scope.get("scheme") in {"wss", "https"} else "http"
    ours = [f"{scheme}://{host}", *settings.CSRF_TRUSTED_ORIGINS]
    return given is not None and given in [_origin(url) for url in ours]


def same_origin(application: Application) -> Application:
    async def check(scope: dict[str, Any], receive: Any, send: Any) -> None:
        if origin_allowed(scope):
            await application(scope, receive, send)
        else:
            await WebsocketDenier()(scope, receive, send)

    return check
