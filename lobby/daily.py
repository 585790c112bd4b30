"""Makes the board of the day when somebody first asks for it.

The board follows from the site's secret and the date, so nobody knows it before its day.
"""

from __future__ import annotations

import hmac
from datetime import date
from typing import Final

from django.conf import settings

from games import daily
from games.models import DailyBoard
from lobby.dealing.dealer import Spec
from lobby.dealing.desk import desk

PATIENCE: Final = 20.0


def seed_of(day: date) -> bytes:
    return hmac.digest(settings.SECRET_KEY.encode(), f"daily:{day.isoformat()}".encode(), "sha256")


async def board_of(day: date) -> DailyBoard:
    """The board of this day, made by the first call; raises NoBoard."""
    board = await DailyBoard.objects.filter(pk=day).afirst()
    if board is None:
        spec = Spec(**daily.board().size)
        deal = await desk().make(spec, "", seed_of(day), PATIENCE)
        board, _ = await DailyBoard.objects.aget_or_create(day=day, defaults={"deal": deal.hex()})
    return board
