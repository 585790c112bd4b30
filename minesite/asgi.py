"""The site as an ASGI application, for uvicorn, daphne or any other server."""

from __future__ import annotations

import os
from typing import Any

from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application
from django.urls import re_path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "minesite.settings")
http = get_asgi_application()  # before the imports below: it loads the apps

from django.conf import settings  # noqa: E402
from django.core.cache import caches  # noqa: E402

from minesite.admission import Admission  # noqa: E402
from minesite.database_url import answer_soon  # noqa: E402
from minesite.lifespan import beating, lifespan  # noqa: E402
from minesite.origin import same_origin  # noqa: E402
from minesite.routing import text_urlpatterns, websocket_urlpatterns  # noqa: E402
from minesite.signed_in import signed_in  # noqa: E402
from minesite.view_threads import in_view_threads  # noqa: E402

answer_soon(settings.DATABASES["default"])

# Our pages' sockets go by session cookie and so by origin; the text protocols take neither.
page_sockets: Any = same_origin(signed_in(URLRouter(websocket_urlpatterns)))
websocket = URLRouter(
    [
        *text_urlpatterns,
        re_path(r"", page_sockets),
    ]
)

application = Admission(
    ProtocolTypeRouter(
        {
            "http": beating(in_view_threads(http)),
            "websocket": beating(websocket),
            "lifespan": lifespan,
        }
    ),
    settings.REQUESTS_PER_ADDRESS,
    settings.CONNECTIONS_PER_ADDRESS,
    settings.STATIC_URL,
)

# Django keeps a cache, with connections of its own to Redis, per context. Every socket has one, and
# whatever outlives its handshake would keep that cache as long as the socket. Made here, in the
# context that all others are copies of, there is one cache in the process.
caches["default"]
