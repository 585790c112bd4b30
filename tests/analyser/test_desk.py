"""The desk: visitors take turns, slow positions go on elsewhere, and nobody waits for ever."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from games.analyser import desk as module
from games.analyser.answer import Asked
from games.analyser.desk import MOST_WAITING, Desk, NoAnswer
from games.analyser.position import read
from games.compute import ComputeError

QUESTION = Asked(read("##\n11", 1))


class Process:
    """A process that answers when it is told to."""

    def __init__(self) -> None:
        self.pid: int | None = 1
        self.calls: list[bytes] = []
        self.open = asyncio.Event()
        self.error: ComputeError | None = None

    async def call(self, function: str, given: bytes, within: float) -> bytes:
        self.calls.append(given)
        await self.open.wait()
        if self.error is not None:
            raise self.error
        return given

    async def close(self) -> None:
        pass


@pytest.fixture
async def desk(monkeypatch) -> AsyncIterator[Desk]:
    monkeypatch.setattr(module, "ComputeProcess", Process)
    made = Desk()
    yield made
    await made.close()


def processes(desk: Desk) -> tuple[Process, Process]:
    quick, slow = desk.quick.process, desk.slow.process
    assert isinstance(quick, Process)
    assert isinstance(slow, Process)
    return quick, slow


async def calls(process: Process, number: int) -> None:
    async with asyncio.timeout(5):
        while len(process.calls) < number:
            await asyncio.sleep(0)


async def test_visitors_take_turns(desk: Desk) -> None:
    quick, _ = processes(desk)
    many = [asyncio.create_task(desk.ask(QUESTION, "many")) for _ in range(3)]
    await calls(quick, 1)
    done: list[str] = []
    one = asyncio.create_task(desk.ask(QUESTION, "one"))
    for name, task in [*(("many", task) for task in many), ("one", one)]:
        task.add_done_callback(lambda _, name=name: done.append(name))
    await asyncio.sleep(0)
    quick.open.set()
    await asyncio.gather(*many, one)
    assert done.index("one") <= 2


async def test_one_visitor_waits_for_a_few_at_most(desk: Desk) -> None:
    quick, _ = processes(desk)
    first = asyncio.create_task(desk.ask(QUESTION, "one"))
    await calls(quick, 1)
    waiting = [asyncio.create_task(desk.ask(QUESTION, "one")) for _ in range(MOST_WAITING)]
    await asyncio.sleep(0)
    with pytest.raises(NoAnswer) as refused:
        await desk.ask(QUESTION, "one")
    assert refused.value.code == "analyser_busy"
    quick.open.set()
    await asyncio.gather(first, *waiting)


async def test_a_slow_position_goes_on_elsewhere_and_is_given_up_there(desk: Desk) -> None:
    quick, slow = processes(desk)
    for process in (quick, slow):
        process.error = ComputeError("too_slow", "")
    quick.open.set()
    asked = asyncio.create_task(desk.ask(QUESTION, "one"))
    await calls(slow, 1)
    quick.error = None
    assert await desk.ask(QUESTION, "two")  # doesn't wait behind the slow one
    slow.open.set()
    with pytest.raises(NoAnswer) as refused:
        await asked
    assert refused.value.code == "analyser_too_slow"


async def test_a_request_whose_turn_does_not_come_is_refused(desk: Desk) -> None:
    quick, _ = processes(desk)
    first = asyncio.create_task(desk.ask(QUESTION, "one"))
    await calls(quick, 1)
    late = asyncio.create_task(desk.ask(QUESTION, "two", patience=-1))
    await asyncio.sleep(0)
    quick.open.set()
    await first
    with pytest.raises(NoAnswer) as refused:
        await late
    assert refused.value.code == "analyser_busy"


@pytest.mark.parametrize(
    ("error", "code"), [("died", "analyser_too_slow"), ("failed", "analyser_failed")]
)
async def test_a_failed_process_is_told(desk: Desk, error: str, code: str) -> None:
    quick, _ = processes(desk)
    quick.error = ComputeError(error, "")
    quick.open.set()
    with pytest.raises(NoAnswer) as refused:
        await desk.ask(QUESTION, "one")
    assert refused.value.code == code
