"""`python -m bench.load.matches MODE COUNT`: two users and matches between them, on our own site.

Prints one JSON object: the sessions of the two, and the ids of the matches.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "minesite.settings")

import django

django.setup()

from asgiref.sync import sync_to_async  # noqa: E402
from django.conf import settings  # noqa: E402
from django.test import Client  # noqa: E402

from accounts.models import User  # noqa: E402
from games.live import host  # noqa: E402
from games.live.setup import SeatInfo  # noqa: E402
from games.live.start import create_match  # noqa: E402


def two_users() -> tuple[list[SeatInfo], list[str]]:
    seats, sessions = [], []
    for name in ("bench-one", "bench-two"):
        user, _ = User.objects.get_or_create(username=name)
        client = Client()
        client.force_login(user, settings.AUTHENTICATION_BACKENDS[0])
        sessions.append(client.cookies[settings.SESSION_COOKIE_NAME].value)
        seats.append(SeatInfo(user.pk, user.username, user.kind))
    return seats, sessions


async def main(mode: str, count: int) -> None:
    seats, sessions = await sync_to_async(two_users)()
    matches = [
        await create_match(mode, seats, {}, rated=False, source="challenge") for _ in range(count)
    ]
    await host.close()
    print(json.dumps({"sessions": sessions, "matches": matches}))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], int(sys.argv[2])))
