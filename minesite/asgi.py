"""The site as an ASGI application, for uvicorn, daphne or any other server."""

from __future__ import annotations

import os

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "minesite.settings")
http = get_asgi_application()  # before the imports below: it loads the apps

from minesite.lifespan import beating, lifespan  # noqa: E402
from minesite.origin import same_origin  # noqa: E402
from minesite.routing import websocket_urlpatterns  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": beating(http),
        "websocket": beating(same_origin(AuthMiddlewareStack(URLRouter(websocket_urlpatterns)))),
        "lifespan": lifespan,
    }
)
