"""Data of finished matches for pages: computed once, by the worker's processes, within limits."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from games import analysis, replay_data
from games.analysing import queue, results, worker
from games.analysing.parts import ANALYSIS, LANES
from games.analysing.queue import Queue
from games.bots.solver import Solver
from games.compute import ComputeProcess
from games.live import match_state
from games.models import Computed, Match
from tests.analysing.conftest import finished

pytestmark = [pytest.mark.django_db(transaction=True)]


@pytest.fixture
def idle_web(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever plays or judges a finished match in this process fails."""

    def never(*given, **named):
        raise AssertionError("a web process must not compute this")

    monkeypatch.setattr(analysis, "analyse", never)
    monkeypatch.setattr(replay_data, "replay_entries", never)
    monkeypatch.setattr(match_state, "run", never)
    monkeypatch.setattr(Solver, "__init__", never)


async def get(address: str, **headers: str):
    return await AsyncClient().get(address, headers=headers or None)


async def until_ready(address: str) -> dict:
    async with asyncio.timeout(60):
        while (answer := await get(address)).status_code == 202:
            assert answer.json() == {"status": "waiting"}
            await asyncio.sleep(0.05)
    assert answer.status_code == 200
    return answer.json()


async def test_a_web_process_neither_plays_nor_judges_a_finished_match(running_worker, request):
    match = await sync_to_async(finished)()
    request.getfixturevalue("idle_web")
    async with running_worker():
        data = (await get(f"/match/{match}/replay.json")).json()
        judged = await until_ready(f"/match/{match}/analysis.json")
    assert set(data["streams"]) == {"public", "0", "1"}
    assert judged["status"] == "ready"
    assert sum(player["analysed"] for player in judged["players"]) == len(judged["marks"]) > 10


async def test_many_askers_are_one_job(running_worker, monkeypatch):
    match = await sync_to_async(finished)()
    calls = []
    call = ComputeProcess.call

    async def counted(self, function, given, within):
        calls.append(function)
        return await call(self, function, given, within)

    monkeypatch.setattr(ComputeProcess, "call", counted)
    address = f"/match/{match}/replay.json"
    asked = [asyncio.create_task(get(address)) for _ in range(24)]
    asked += [asyncio.create_task(get(f"/match/{match}/analysis.json")) for _ in range(24)]
    async with running_worker():
        answers = await asyncio.gather(*asked)
        await until_ready(f"/match/{match}/analysis.json")
        later = await get(address)
    assert {answer.status_code for answer in answers[:24]} == {200}
    assert len({answer.content for answer in [*answers[:24], later]}) == 1
    assert {answer.status_code for answer in answers[24:]} <= {200, 202}
    assert sorted(calls) == sorted(lane.function for lane in LANES.values())


async def test_a_newer_version_computes_a_stored_result_again(running_worker, monkeypatch):
    match = await sync_to_async(finished)()
    async with running_worker():
        await until_ready(f"/match/{match}/analysis.json")
        old = await Computed.objects.aget(match=match, part=ANALYSIS)
        lane = LANES[ANALYSIS]
        monkeypatch.setitem(LANES, ANALYSIS, replace(lane, version=lane.version + 1))
        assert (await get(f"/match/{match}/analysis.json")).status_code == 202
        await until_ready(f"/match/{match}/analysis.json")
    new = await Computed.objects.aget(match=match, part=ANALYSIS)
    assert new.version == old.version + 1
    assert bytes(old.packed) == bytes(new.packed)


async def test_names_are_those_of_the_moment(running_worker):
    match = await sync_to_async(finished)()
    address = f"/match/{match}/replay.json"
    async with running_worker():
        first = await get(address)
    assert first["Cache-Control"] == "public, no-cache"
    again = await get(address, if_none_match=first["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    row = await Match.objects.aget(pk=match)
    await row.seats.filter(number=1).aupdate(name="deleted")
    after = await get(address, if_none_match=first["ETag"])
    assert after.status_code == 200
    assert [player["name"] for player in after.json()["players"]] == ["Player 0", "deleted"]
    assert b"Player 1" not in after.content


async def test_gzip_and_plain_have_the_same_data(running_worker):
    import gzip

    match = await sync_to_async(finished)()
    address = f"/match/{match}/replay.json"
    async with running_worker():
        plain = await get(address)
        zipped = await get(address, accept_encoding="gzip, br")
    assert zipped["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(zipped.content)) == plain.json()
    assert len(zipped.content) < len(plain.content) / 3


async def test_without_a_worker_the_answer_says_when_to_come_back(monkeypatch):
    monkeypatch.setattr("games.views.replay.PATIENCE", 0.1)
    match = await sync_to_async(finished)()
    answer = await get(f"/match/{match}/replay.json")
    assert answer.status_code == 503
    assert answer.json()["code"] == "waiting"
    assert answer["Retry-After"] == "2"
    assert answer["Cache-Control"] == "no-store"


async def test_a_visitor_can_ask_for_so_many_matches_a_minute(monkeypatch):
    monkeypatch.setattr(queue, "MOST_ASKED", 2)
    matches = [await sync_to_async(finished)() for _ in range(3)]
    for match in matches[:2]:
        for _ in range(3):  # the same again is free
            assert (await get(f"/match/{match}/analysis.json")).status_code == 202
    refused = await get(f"/match/{matches[2]}/analysis.json")
    assert refused.status_code == 429
    assert refused.json()["code"] == "too_many_requests"
    assert refused["Retry-After"] == "60"
    assert await Queue(ANALYSIS).length() == 2


async def test_the_queue_is_bounded(monkeypatch):
    monkeypatch.setattr(queue, "MOST_JOBS", 1)
    matches = [await sync_to_async(finished)() for _ in range(2)]
    assert (await get(f"/match/{matches[0]}/analysis.json")).status_code == 202
    full = await get(f"/match/{matches[1]}/analysis.json")
    assert (full.status_code, full.json()["code"]) == (503, "busy")
    assert await Queue(ANALYSIS).length() == 1


async def test_a_match_that_is_too_long_is_refused(running_worker, monkeypatch):
    match = await sync_to_async(finished)()

    async def refused(self, function, given, within):
        from games.compute import ComputeError

        raise ComputeError("too_large", "more than one byte")

    monkeypatch.setattr(ComputeProcess, "call", refused)
    async with running_worker():
        answer = await get(f"/match/{match}/replay.json")
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    # It is not tried again for a while.
    assert (await get(f"/match/{match}/replay.json")).status_code == 413
    assert not await Queue("replay").has(f"{match}:all")


async def test_the_copies_of_replays_are_bounded(monkeypatch):
    monkeypatch.setattr(results, "MOST_COPIES", 2)
    from games.analysing.body import pack

    body = pack({"a": 1}, 100)
    assert body is not None
    matches = [await sync_to_async(finished)() for _ in range(4)]
    for match in matches:
        await sync_to_async(results.store)(match, "all", body)
        await sync_to_async(results.store)(match, ANALYSIS, body)
    copies = Computed.objects.filter(part="all").order_by("made_at")
    assert [row.match_id async for row in copies] == matches[2:]
    assert await Computed.objects.filter(part=ANALYSIS).acount() == 4


async def test_a_job_whose_worker_died_is_taken_by_another_one(running_worker, monkeypatch):
    match = await sync_to_async(finished)()
    assert (await get(f"/match/{match}/analysis.json")).status_code == 202
    monkeypatch.setattr(queue, "LEASE_MS", 200)
    lane = Queue(ANALYSIS)
    assert await lane.take() == f"{match}:analysis"  # and this worker is never heard of again
    assert await lane.take() is None
    async with running_worker():
        assert (await until_ready(f"/match/{match}/analysis.json"))["status"] == "ready"
    assert await lane.length() == 0


async def test_a_mode_without_a_judge_has_no_analysis():
    match = await sync_to_async(finished)("battleship", {})
    answer = await get(f"/match/{match}/analysis.json")
    assert answer.json() == {"status": "none"}
    assert await Queue(ANALYSIS).length() == 0


async def test_the_lease_is_renewed_while_the_work_goes_on(monkeypatch):
    match = await sync_to_async(finished)()
    monkeypatch.setattr(queue, "LEASE_MS", 300)
    monkeypatch.setattr(worker, "RENEW_SECONDS", 0.05)
    lane, job = Queue(ANALYSIS), f"{match}:analysis"
    await lane.add(job, "me")
    assert await lane.take() == job
    seen = []

    class Slow:
        async def call(self, function: str, given: bytes, within: float) -> bytes:
            for _ in range(10):
                await asyncio.sleep(0.1)
                seen.append(await lane.take())
            return analysis.compute(given)

    await worker.carry_out(LANES[ANALYSIS], lane, Slow(), job)
    assert seen == [None] * 10
    assert await lane.length() == 0
    assert await Computed.objects.filter(match=match).acount() == 1
