"""Makes users, sessions and matches on the site under test: a line in, a line of JSON out.

python -m tests.chaos.maker        "users 12" -> [[id, name, session], ...]
                                   "match 1 ann 2 bob 15" -> "<match id>"
"""

from __future__ import annotations

import asyncio
import json
import sys
from importlib import import_module

import django

django.setup()

from asgiref.sync import sync_to_async  # noqa: E402
from django.conf import settings  # noqa: E402
from django.contrib.auth import (  # noqa: E402
    BACKEND_SESSION_KEY,
    HASH_SESSION_KEY,
    SESSION_KEY,
)

from accounts.models import User  # noqa: E402
from games.live import host  # noqa: E402
from games.live.setup import SeatInfo  # noqa: E402
from games.live.start import create_match  # noqa: E402


@sync_to_async
def users(number: int) -> list[tuple[int, str, str]]:
    store = import_module("django.contrib.sessions.backends.db").SessionStore
    made = []
    for i in range(number):
        user = User.objects.create_user(username=f"player{i}", password="x" * 12)
        session = store()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.save()
        made.append((user.pk, user.username, session.session_key))
    return made


async def match(first: str, name: str, second: str, other: str, seconds: str) -> str:
    seats = [SeatInfo(int(first), name, "registered"), SeatInfo(int(second), other, "registered")]
    options = {"seconds": int(seconds)}
    return await create_match("claim", seats, options, rated=False, source="queue")


async def main() -> None:
    host.host(serving=False)
    loop = asyncio.get_running_loop()
    while line := (await loop.run_in_executor(None, sys.stdin.readline)).split():
        word, *args = line
        answer = await (users(int(args[0])) if word == "users" else match(*args))
        print(json.dumps(answer), flush=True)
    await host.close()


asyncio.run(main())
