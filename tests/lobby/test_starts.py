"""Games for one: as many as people play, not as many as a program can start."""

from __future__ import annotations

import pytest

from lobby import solo
from lobby.errors import LobbyError
from tests.lobby.making import player
from tests.lobby.sockets import new_user, visit

pytestmark = pytest.mark.django_db(transaction=True)


async def test_a_player_starts_so_many_games_in_a_minute(settings) -> None:
    settings.SOLO_PER_MINUTE = 2
    async with visit(await new_user("Ann")) as ann, visit(await new_user("Bob")) as bob:
        for _ in range(2):
            await ann.say(type="solo")
            await ann.hear("matched")
        refused = await ann.ask("solo")
        assert refused["code"] == "too_many_games"
        assert 0 < refused["seconds"] <= 60
        await bob.say(type="solo")
        await bob.hear("matched")


async def test_guests_of_one_address_share_a_limit_and_accounts_do_not(settings) -> None:
    settings.SOLO_PER_ADDRESS = 2
    users = [await new_user(f"Guest{n}", "guest") for n in range(3)]
    one, two, three = (player(user.pk, kind="guest") for user in users)
    await solo.start(one, address="192.0.2.1")
    await solo.start(two, address="192.0.2.1")
    with pytest.raises(LobbyError) as refused:
        await solo.start(three, address="192.0.2.1")
    assert refused.value.code == "too_many_games"
    await solo.start(three, address="192.0.2.2")
    account = player((await new_user("Ann")).pk)
    await solo.start(account, address="192.0.2.1")
