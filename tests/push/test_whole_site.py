"""The whole site as it runs: the settings take a browser, the worker sends to it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.push.service import PushService
from tests.running_site import new_site, wait_for

CHALLENGE = """
import asyncio
from accounts import push
from accounts.models import User
from games import redis
from lobby import challenges, presence
from lobby.players import player_of
ann, bob = (User.objects.create_user(name) for name in ("Ann", "Bob"))
push.subscribe(bob, {raw!r}, session_key="s", language="de", user_agent="")
async def challenge():
    await presence.seen(player_of(bob))
    await challenges.send(player_of(ann), "Bob", "battleship")
    await redis.close()
asyncio.run(challenge())
print(push.public_key())
"""


@pytest.mark.site
def test_the_worker_of_a_running_site_notifies_a_challenged_player(tmp_path: Path):
    service = PushService(tmp_path)
    phone = service.browser("phone")
    site = new_site(
        tmp_path / "var",
        PUSH_TO_PRIVATE_ADDRESSES="1",
        SSL_CERT_FILE=str(service.certificate),
        CONTACT="https://play.example.org/contact",
    )
    try:
        site.start()
        raw = msgspec.json.encode(phone.subscription)
        key = site.python(CHALLENGE.format(raw=raw)).strip()
        [shown] = wait_for(lambda: phone.shown)
        assert shown["title"] == "Ann fordert dich zu Schiffe versenken heraus."
        assert service.claims[0]["k"] == key
        assert service.claims[0]["sub"] == "https://play.example.org/contact"
        assert (site.data_dir / "push_key").stat().st_mode & 0o777 == 0o600
        assert not service.errors
    finally:
        site.stop()
        service.close()
