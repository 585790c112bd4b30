"""An error in the rules ends that match only; rules that are not here are refused politely."""

from __future__ import annotations

from dataclasses import replace

import pytest

from games.engine import registry
from games.engine.claim import ClaimRules
from games.live.host import NoSuchMatch
from games.live.seat_client import SeatClient
from games.live.setup import UnknownRules
from games.live.stored_log import match_key
from games.models import Match
from games.replay import problems, replay
from tests.live.conftest import until
from tests.live.test_match import TWO, new_match
from tests.live.test_presence import playing

pytestmark = pytest.mark.django_db(transaction=True)


class Fragile(ClaimRules):
    """Half changes the state of a match, then raises."""

    def apply_action(self, state, seat, action, t):
        if action.cell == 666:
            state.owners[0] = 5
            raise RuntimeError("a bug in the rules")
        return super().apply_action(state, seat, action, t)

    def check_action(self, state, seat, action, t, live):
        if action.cell == 667:
            raise RuntimeError("a bug in a check")
        super().check_action(state, seat, action, t, live)


def with_rules(rules):
    return replace(registry.TEST_MODES["claim"], rules=rules)


@pytest.fixture
def fragile(monkeypatch):
    monkeypatch.setitem(registry.TEST_MODES, "claim", with_rules(Fragile()))


async def archived(match_id: str) -> Match:
    while True:
        row = await Match.objects.prefetch_related("seats").aget(pk=match_id)
        if row.status != "live":
            return row


@pytest.mark.parametrize("cell", [666, 667])
async def test_a_fault_aborts_that_match_everywhere_and_no_other(
    here, archiving, make_host, fragile, cell
):
    ann, bob = await playing(here, await make_host())
    neighbour = await SeatClient.open(await new_match(), 0)
    await ann.act({"type": "claim", "cell": 1})
    result = await bob.act({"type": "claim", "cell": cell})
    assert result.code == ("" if cell == 666 else "server_fault")
    heard = [[event async for event in player] for player in (ann, bob)]
    for events in heard:
        assert events[-1]["outcome"]["reason"] == "fault"
        assert events[-1]["outcome"]["aborted"]
        assert events[-1]["truth"]["owners"][0] == -1, "the half change is gone"
    row = await archived(ann.replica.id)
    assert (row.status, row.reason) == ("aborted", "fault")
    assert [seat.rank for seat in row.seats.all()] == [None, None]
    assert problems(row) == []
    assert "abort" in [entry.kind for entry in replay(row).entries]
    assert (await neighbour.act({"type": "ready"})).stored


class Backward(ClaimRules):
    """The next timer is always a little earlier."""

    def advance(self, state, t):
        state.ends -= 1
        return []


async def test_a_timer_that_never_fires_aborts_the_match(here, archiving, monkeypatch):
    monkeypatch.setitem(registry.TEST_MODES, "claim", with_rules(Backward()))
    ann, bob = await playing(here, here, seconds=1)
    for player in (ann, bob):
        events = [event async for event in player]
        assert events[-1]["outcome"]["reason"] == "fault"
    row = await archived(ann.replica.id)
    assert (row.status, row.reason) == ("aborted", "fault")
    assert problems(row) == []


class Dizzy(ClaimRules):
    """Can't say whose turn it is."""

    spec = replace(ClaimRules.spec, realtime=False)

    def __init__(self, turn) -> None:
        self._turn = turn

    def turn(self, state):
        return 1 // 0 if self._turn is None else self._turn


@pytest.mark.parametrize("turn", [None, 9], ids=["an error", "no such seat"])
async def test_a_fault_in_a_turn_costs_notifications_and_not_the_match(here, monkeypatch, turn):
    monkeypatch.setitem(registry.TEST_MODES, "claim", with_rules(Dizzy(turn)))
    ann, bob = await playing(here, here)
    for player, cell in ((ann, 1), (bob, 2)):
        assert (await player.act({"type": "claim", "cell": cell})).stored
    assert ann.replica.over is None


async def test_unknown_rules_are_refused(here, monkeypatch):
    match_id = await new_match()
    newer = type("Newer", (ClaimRules,), {})
    newer.spec = ClaimRules.spec.__class__(
        **{
            name: getattr(ClaimRules.spec, name)
            for name in ClaimRules.spec.__slots__
            if name != "version"
        },
        version=2,
    )
    monkeypatch.setitem(registry.TEST_MODES, "claim", with_rules(newer()))
    with pytest.raises(UnknownRules):
        await here.join(match_id)
    assert here.replicas == {}
    monkeypatch.undo()
    replica = await here.join(match_id)
    assert [s.name for s in replica.state.setup.seats] == [s.name for s in TWO]


async def test_rules_of_an_earlier_version_are_served_by_a_mode_that_still_plays_them(
    here, monkeypatch
):
    match_id = await new_match()
    newer = type(
        "Newer", (ClaimRules,), {"spec": replace(ClaimRules.spec, version=2, replays=(1,))}
    )
    monkeypatch.setitem(registry.TEST_MODES, "claim", with_rules(newer()))
    replica = await here.join(match_id)
    assert replica.state.setup.version == 1


async def test_a_match_whose_log_vanished_tells_its_players(here):
    match_id = await new_match()
    ann = await SeatClient.open(match_id, 0)
    await until(lambda: ann.replica.state.next == 2)
    await here.servers.call("DEL", match_key(match_id, "log"))
    assert (await ann.act({"type": "ready"})).code == "match_gone"
    assert await ann.next() is None or ann.replica.gone
    here.leave(ann.replica, linger=0)
    with pytest.raises(NoSuchMatch):
        await here.join("nosuchmatch0")
