"""Plans of matches: seats, options, who attacks first."""

from __future__ import annotations

import pytest

from games.engine import registry
from games.models import Match
from lobby import direct, maintenance, matchmaker, playing, queue, solo
from lobby.errors import LobbyError
from lobby.pairing import pair
from lobby.plans import plan_for
from lobby.players import text_guest
from lobby.states import Busy
from lobby.store import now_ms
from lobby.tickets import Wish, new_ticket
from tests.lobby.flow import DUEL
from tests.lobby.making import player

SHIPS = (Wish(mode="battleship", size=2),)


def planned(*tickets):
    (group,) = pair(tickets, 100, matchmaker.config())
    return plan_for(group)


def test_the_player_who_queued_first_attacks_first() -> None:
    plan = planned(new_ticket(player(2), SHIPS, 20), new_ticket(player(1), SHIPS, 10))
    assert [seat.name for seat in plan.seats] == ["Player1", "Player2"]
    assert plan.options == {}  # by default the first seat attacks first
    registry.game("battleship").parse_options(plan.options)


def test_text_players_have_longer_turns() -> None:
    plan = planned(new_ticket(player(1), SHIPS, 0), new_ticket(text_guest("Ann"), SHIPS, 1))
    assert registry.game("battleship").parse_options(plan.options).turn_seconds == 120


def test_a_preset_gives_the_options() -> None:
    wish = (Wish(mode="race", size=2, preset="beginner"),)
    plan = planned(new_ticket(player(1), wish, 0), new_ticket(player(2), wish, 1))
    assert registry.game("race").parse_options(plan.options).width == 9


@pytest.mark.django_db(transaction=True)
async def test_players_who_found_each_other_elsewhere() -> None:
    people = [text_guest(name) for name in ("Ann", "Bob", "Cyd")]
    await queue.join(people[0], [DUEL])
    match_id = await direct.start(people, "claim", source="text")
    assert (await Match.objects.aget()).pk == match_id
    assert await queue.waiting() == []
    assert await playing.match_of(people[2].identity) == match_id
    with pytest.raises(Busy):
        await direct.start([people[0], text_guest("Dan")], "claim", source="text")


@pytest.mark.django_db(transaction=True)
async def test_while_the_queues_are_closed_no_match_begins() -> None:
    for name in ("Ann", "Bob"):
        await queue.join(text_guest(name), [DUEL])
    await maintenance.close_queues()
    await matchmaker.pair_waiting(await now_ms(), matchmaker.config())
    assert len(await queue.waiting()) == 2
    with pytest.raises(LobbyError, match="queues_closed"):
        await solo.start(player(1))
    with pytest.raises(LobbyError, match="queues_closed"):
        await direct.start([text_guest("Cyd"), text_guest("Dan")], "claim", source="text")
    await maintenance.open_queues()
    await matchmaker.pair_waiting(await now_ms(), matchmaker.config())
    assert await Match.objects.acount() == 1
