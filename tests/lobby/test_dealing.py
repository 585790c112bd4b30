"""The store of boards without guessing: filled, taken from once, never replaced by any other."""

from __future__ import annotations

import asyncio
import json

import pytest

from games.bots.solver import Solver, rectangle
from games.engine.grid import square8
from games.live.redis import redis
from lobby.dealing import deals as lobby_deals
from lobby.dealing import pool
from lobby.dealing.dealer import NoBoard, Spec, deals
from lobby.errors import LobbyError

SMALL = Spec(9, 9, 10)


def needs_no_guess(spec: Spec, deal: bytes) -> bool:
    board = json.loads(deal)
    mines, neighbours = set(board["mines"]), square8(spec.width, spec.height).neighbours
    assert len(mines) == spec.mines
    solver = Solver(rectangle(spec.width, spec.height), mines=spec.mines)
    todo, opened = {board["start"]}, set()
    while todo:
        for cell in todo:
            assert cell not in mines
            solver.reveal(cell, sum(n in mines for n in neighbours[cell]))
        opened |= todo
        solver.analyse()
        todo = set(solver.safe) - opened
    return len(opened) == spec.width * spec.height - spec.mines


async def test_the_store_is_filled_and_every_board_is_handed_out_once():
    await pool.fill(SMALL, asyncio.Event(), kept=6)
    assert await pool.stored(SMALL) == 6
    taken = await asyncio.gather(*(pool.take(SMALL) for _ in range(6)))
    assert len(set(taken)) == 6
    assert await pool.stored(SMALL) == 0
    assert all(needs_no_guess(SMALL, deal) for deal in taken)


async def test_the_job_fills_what_is_played_without_choosing_and_stops_when_asked(monkeypatch):
    monkeypatch.setattr(pool, "KEPT", 2)
    monkeypatch.setattr(pool, "usual", lambda: [SMALL])
    stop = asyncio.Event()
    jobs = [asyncio.create_task(pool.run(stop)) for _ in range(2)]
    async with asyncio.timeout(60):
        while await pool.stored(SMALL) < 2:
            await asyncio.sleep(0.05)
    stop.set()
    await asyncio.wait_for(asyncio.gather(*jobs), 30)
    assert await pool.stored(SMALL) <= 4  # two workers at once do no harm


def test_race_and_the_presets_are_in_store():
    kinds = pool.usual()
    assert pool.spec_for("race", {}) in kinds
    assert {Spec(9, 9, 10), Spec(16, 16, 40), Spec(30, 16, 99)} <= set(kinds)


async def test_matches_without_the_option_get_no_deal():
    assert await lobby_deals.deal_for("classic", {}) == b""
    assert await lobby_deals.deal_for("race", {"no_guess": False}) == b""
    assert await lobby_deals.deal_for("battleship", {}) == b""


async def test_an_unusual_size_is_made_on_demand():
    options = {"width": 7, "height": 5, "mines": 6, "no_guess": True}
    assert needs_no_guess(Spec(7, 5, 6), await lobby_deals.deal_for("classic", options))


async def test_a_match_that_is_agreed_upon_has_its_board_reserved():
    options = {"width": 7, "height": 6, "mines": 5}
    await lobby_deals.check("race", options)
    assert await pool.stored(Spec(7, 6, 5)) == 1
    assert 0 < await redis().ttl(pool._key(Spec(7, 6, 5))) <= pool.SPARE_SECONDS


@pytest.mark.parametrize("ask", [lobby_deals.deal_for, lobby_deals.check])
async def test_a_board_that_cannot_be_is_refused_with_a_reason(ask):
    # Two mines in the corners of a 2x2 board: no number ever tells them apart.
    options = {"width": 2, "height": 2, "mines": 2, "no_guess": True}
    with pytest.raises(LobbyError) as refused:
        await ask("classic", options)
    assert refused.value.code == "no_guess_failed"
    assert refused.value.extra == {"reason": "no_guess_budget"}


async def test_a_search_that_takes_too_long_is_given_up():
    with pytest.raises(NoBoard) as failed:
        async for _ in deals(Spec(100, 100, 2000), 1, 0.001):
            pass
    assert failed.value.code == "no_guess_budget"


async def test_the_same_seed_gives_the_same_boards():
    async def some(seed: bytes) -> list[bytes]:
        return [deal async for deal in deals(SMALL, 2, 60, seed)]

    first = await some(b"s" * 32)
    assert first == await some(b"s" * 32)
    assert first[0] != first[1]
    assert first != await some(b"t" * 32)
