"""What the one interpreter of a log makes of an entry that should not be there."""

from __future__ import annotations

import pytest

from games.live.course import Course
from games.live.entry import ACTION, Entry
from games.live.seat import SeatClient
from tests.live.test_match import new_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
async def started(here) -> Course:
    match_id = await new_match()
    for seat in (0, 1):
        player = await SeatClient.open(match_id, seat)
        await player.act({"type": "ready"})
    course = Course((entries := await player.replica.log.read())[0])
    for entry in entries[1:]:
        course.apply(entry)
    return course


def claim(course: Course, cid: str, cell: int) -> Entry:
    return Entry(course.next, course.t, ACTION, 0, cid, b'{"type":"claim","cell":%d}' % cell)


async def test_a_command_id_counts_once_whatever_the_log_says(started):
    assert [said.event["cell"] for said in started.apply(claim(started, "x", 1))] == [1]
    first = started.next - 1
    assert started.apply(claim(started, "x", 2)) == []
    assert started.stored_as(0, "x") == first
    assert started.state.game.owners[2] == -1
    assert [said.event["cell"] for said in started.apply(claim(started, "y", 2))] == [2]
