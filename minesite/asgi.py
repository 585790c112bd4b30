"""The site as an ASGI application, for uvicorn, daphne or any other server."""

from __future__ import annotations

import os

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application
from django.urls import re_path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "minesite.settings")
http = get_asgi_application()  # before the imports below: it loads the apps

from django.core.cache import caches  # noqa: E402

from minesite.lifespan import beating, lifespan  # noqa: E402
from minesite.origin import same_origin  # noqa: E402
from minesite.routing import text_urlpatterns, websocket_urlpatterns  # noqa: E402

# Our pages' sockets go by session cookie and so by origin; the text protocols take neither.
websocket = URLRouter(
    [
        *text_urlpatterns,
        re_path(r"", same_origin(AuthMiddlewareStack(URLRouter(websocket_urlpatterns)))),
    ]
)

application = ProtocolTypeRouter(
    {
        "http": beating(http),
        "websocket": beating(websocket),
        "lifespan": lifespan,
    }
)

# Django keeps a cache, with connections of its own to Redis, per context. Every socket has one, and
# whatever outlives its handshake would keep that cache as long as the socket. Made here, in the
# context that all others are copies of, there is one cache in the process.
caches["default"]
