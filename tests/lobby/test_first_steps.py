"""“Play now” begins with a small board and grows with every win."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest

from accounts.models import User
from games.models import Match, Seat
from lobby import matchmaker, queue
from lobby.first_steps import FIRST_RESULTS, bot_strength, preset_for
from lobby.players import player_of
from lobby.store import now_ms
from lobby.tickets import Wish

pytestmark = pytest.mark.django_db(transaction=True)


async def note(user: User, result: str, number: int, mode: str = "race") -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    match = await Match.objects.acreate(
        pk=f"match{number:07}",
        mode=mode,
        rules_version=1,
        rated=False,
        source="queue",
        ended_at=now,
    )
    await Seat.objects.acreate(
        match=match, number=0, user=user, name=user.username, mode=mode, result=result, ended_at=now
    )


async def test_every_win_is_a_step():
    user = await User.objects.acreate(username="newcomer")
    assert await preset_for(None, "race") == "beginner"
    assert await preset_for(user.pk, "race") == "beginner"
    await note(user, "loss", 1)
    await note(user, "win", 2, mode="battleship")
    assert await preset_for(user.pk, "race") == "beginner"
    await note(user, "win", 3)
    assert await preset_for(user.pk, "race") == "intermediate"
    await note(user, "win", 4)
    assert await preset_for(user.pk, "race") == ""
    await note(user, "win", 5)
    assert await preset_for(user.pk, "race") == ""


async def test_a_mode_without_first_steps_has_no_small_board():
    assert await preset_for(None, "battleship") == ""


async def test_the_first_bot_is_the_weakest_and_the_next_ones_follow_the_results():
    user = await User.objects.acreate(username="newcomer")
    assert await bot_strength(None, "race", 1000) == 1000
    assert await bot_strength(user.pk, "race", 1000) == 700
    await note(user, "loss", 1)
    assert await bot_strength(user.pk, "race", 1000) == 700
    await note(user, "win", 2)
    assert await bot_strength(user.pk, "race", 1000) == 850
    await note(user, "loss", 3)
    assert await bot_strength(user.pk, "race", 1000) == 700
    await note(user, "win", 4)
    await note(user, "win", 5)
    assert await bot_strength(user.pk, "race", 1000) == 1000
    await note(user, "loss", 6)  # no newcomer any more
    assert await bot_strength(user.pk, "race", 1000) == 1000


async def test_after_many_matches_the_rating_tells():
    user = await User.objects.acreate(username="unlucky")
    for number in range(FIRST_RESULTS):
        assert await bot_strength(user.pk, "race", 1000) == 700
        await note(user, "loss", number)
    assert await bot_strength(user.pk, "race", 1000) == 1000


async def test_a_newcomer_who_takes_a_bot_meets_the_weakest():
    user = await User.objects.acreate(username="newcomer")
    ticket = await queue.join(player_of(user), [Wish(mode="race", size=2)], bots="now")
    await matchmaker.make_matches([ticket], await now_ms(), matchmaker.config())
    found = await queue.result(ticket.id)
    assert [player["name"] for player in found.players] == ["newcomer", "Pebble-bot"]


async def test_every_button_of_the_front_page_begins_small(async_client) -> None:
    page = (await async_client.get("/")).content.decode()
    found = dict(re.findall(r'data-quick="([\w-]+)"\s+(data-preset="\w+")?', page)[1:])
    assert found["race"] == 'data-preset="beginner"'
    assert found["battleship"] == ""
