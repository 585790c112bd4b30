"""Refusals of the lobby as problem documents."""

from __future__ import annotations

import logging
from typing import Final

from django.http import HttpRequest, HttpResponse
from ninja import NinjaAPI
from redis.exceptions import RedisError

from games.api.problems import problem
from lobby.errors import LobbyError

RETRY_SECONDS: Final = 2
"""Seconds that a client should wait while Redis is unreachable."""

logger = logging.getLogger(__name__)


def install(api: NinjaAPI) -> None:
    """Answer every exception that an operation of the lobby may end with."""

    @api.exception_handler(LobbyError)
    def _refused(request: HttpRequest, error: LobbyError) -> HttpResponse:
        # The request is well formed: it conflicts with how things stand.
        status = 404 if error.code.startswith("no_such_") else 409
        return problem(status, error.code, error.text, **error.extra)

    @api.exception_handler(RedisError)
    def _outage(request: HttpRequest, error: RedisError) -> HttpResponse:
        logger.warning("the API's Redis does not answer")
        text = "The lobby is temporarily unavailable. Try again in a few seconds."
        return problem(503, "unavailable", text, retry_after=RETRY_SECONDS)
