"""`python -m bench.load.matches MODE OPTIONS`: two users, and matches between them, on our site.

Prints the sessions of the two; then for every number that it reads, so many new matches: their ids
with their seeds (so that scripted players of a game with hidden information know good moves).
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

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
from games.live.stored_log import first_row  # noqa: E402
from minesite.parent import ask_kernel  # noqa: E402


def two_users() -> tuple[list[SeatInfo], list[str]]:
    seats, sessions = [], []
    for name in ("bench-one", "bench-two"):
        user, _ = User.objects.get_or_create(username=name)
        client = Client()
        client.force_login(user, settings.AUTHENTICATION_BACKENDS[0])
        sessions.append(client.cookies[settings.SESSION_COOKIE_NAME].value)
        seats.append(SeatInfo(user.pk, user.username, user.kind))
    return seats, sessions


async def main(mode: str, options: dict[str, Any]) -> None:
    seats, sessions = await sync_to_async(two_users)()
    print(json.dumps(sessions), flush=True)
    while count := await asyncio.to_thread(sys.stdin.readline):
        seeds = {}
        for _ in range(int(count)):
            match = await create_match(mode, seats, options, rated=False, source="challenge")
            first = await first_row(host.host().servers, match)
            assert first is not None
            seeds[match] = json.loads(first.commands[0].data)["seed"]
        print(json.dumps(seeds), flush=True)
    await host.close()


if __name__ == "__main__":
    ask_kernel()  # a round that is given up takes its server's Redis with it, which this waits for
    asyncio.run(main(sys.argv[1], json.loads(sys.argv[2])))
