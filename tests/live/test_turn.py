"""What one turn of the event loop brings is told together, once, and to the right ones."""

from __future__ import annotations

import asyncio

import pytest

from games.live.entry import ACTION, RETURN, Entry
from games.live.seat import SeatClient
from games.live.turn import Turn
from tests.live.conftest import until
from tests.live.test_log import Answer
from tests.live.test_match import new_match, started

pytestmark = pytest.mark.django_db(transaction=True)


def claim(replica, cell: int, seat: int = 0) -> Entry:
    course = replica.course
    data = b'{"type":"claim","cell":%d}' % cell
    return Entry(course.next, course.t, ACTION, seat, f"by hand {cell}", data)


class Ear:
    def __init__(self, replica, viewer: int | None) -> None:
        self.numbers: list[int] = []
        self.events: list[dict] = []
        self.batches = 0
        self.last, self.view = replica.attach(viewer, self)

    def __call__(self, batch) -> None:
        self.batches += 1
        for number, said in batch.messages:
            self.numbers.append(number)
            self.events.append(said.event)


async def test_events_of_one_turn_are_one_batch(here):
    ann, _bob = await started(await new_match())
    ear = Ear(ann.replica, None)
    for cell in (1, 2, 3):
        ann.replica.receive(claim(ann.replica, cell))
    assert ear.batches == 0
    await until(lambda: ear.batches)
    assert [event["cell"] for event in ear.events] == [1, 2, 3]
    assert ear.numbers == [ear.last + 1, ear.last + 2, ear.last + 3]


async def test_who_comes_within_a_turn_has_its_first_part_in_the_view(here):
    ann, _bob = await started(await new_match())
    replica = ann.replica
    early = Ear(replica, None)
    replica.receive(claim(replica, 1))
    late = Ear(replica, None)
    assert late.view["game"]["owners"][1] == 0
    replica.receive(claim(replica, 2))
    await until(lambda: late.events)
    assert [event["cell"] for event in late.events] == [2]
    assert late.numbers == [late.last + 1]
    assert [event["cell"] for event in early.events] == [1, 2]


async def test_who_comes_back_within_a_turn_misses_nothing_of_it(here):
    ann, _bob = await started(await new_match())
    replica = ann.replica
    last = replica.course.count(None)
    replica.receive(claim(replica, 1))
    missed = replica.since(None, last)
    assert [said.event["cell"] for _, said in missed.messages] == [1]


async def test_who_loses_the_seat_within_a_turn_has_heard_what_came_before(here):
    match_id = await new_match()
    ann, _bob = await started(match_id)
    replica, ear, order = ann.replica, Ear(ann.replica, None), []
    seating = replica.seatings.sit(0, lambda: order.append([e["type"] for e in ear.events]))
    await until(lambda: seating.settled)
    replica.receive(claim(replica, 1))
    course = replica.course
    replica.receive(Entry(course.next, course.t, RETURN, 0, "!other", b'{"by":"other"}'))
    assert order == [["claimed"]]


async def test_a_second_copy_of_who_came_takes_no_seat(here):
    """It is void for the rules, and so for those who sit there."""
    match_id = await new_match()
    ann, _bob = await started(match_id)
    first, replica = ann._seating.token, ann.replica
    again = await SeatClient.open(match_id, 0)
    await until(lambda: again._seating.settled)
    data = b'{"by":"%b"}' % first.encode()
    replica.receive(Entry(replica.course.next, replica.course.t, RETURN, 0, f"!{first}", data))
    assert replica.course.controllers[0] == again._seating.token
    assert not again.taken_over


async def test_a_tick_that_comes_back_after_the_match_has_left_wakes_nothing(here):
    ann, bob = await started(await new_match())
    replica, answer = ann.replica, Answer()
    replica.log.tick(replica.course.next - 1, 1, answer)
    for player in (ann, bob):
        player.close()
    here.unload(replica)
    replica.alarm.answered(*await answer.future)
    assert replica.alarm._wake is None


async def test_a_host_that_was_taken_for_dead_is_known_again(here, make_host):
    """Another process hosts the match, and has not heard of what the forgotten one stores."""
    match_id = await new_match()
    ann, _bob = await started(match_id)
    other = await make_host()
    watching = await other.join(match_id)
    await watching.log.forget_hosts([here.pulse.process])
    assert (await ann.act({"type": "claim", "cell": 6})).stored
    for replica in (ann.replica, watching):
        replica.look()
    await until(lambda: watching.course.next == ann.replica.course.next)
    assert ann.replica.shared
    assert (await ann.act({"type": "claim", "cell": 7})).stored
    await until(lambda: watching.course.next == ann.replica.course.next, 5)


async def test_who_is_alone_again_learns_it(here, make_host):
    ann, _bob = await started(match_id := await new_match())
    other = await make_host()
    replica = await other.join(match_id)
    assert (await ann.act({"type": "claim", "cell": 6})).stored
    assert ann.replica.shared
    other.unload(replica)
    await other.store.answered()
    ann.replica.look()
    await until(lambda: not ann.replica.shared)


async def test_what_is_last_comes_after_all_that_leads_to_it():
    turn, order, done = Turn(), [], asyncio.Event()

    def first() -> None:
        order.append("first")
        turn.at_end(lambda: order.append("second"))
        turn.at_last(lambda: order.append("last"))

    def sends() -> None:
        order.append("sends")
        turn.at_end(lambda: (order.append("next turn"), done.set()))

    turn.at_last(sends)
    turn.at_end(lambda: 1 / 0)  # what fails keeps nobody else from anything
    turn.at_end(first)
    await done.wait()
    assert order == ["first", "second", "sends", "last", "next turn"]
