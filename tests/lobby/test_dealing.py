"""The store of boards without guessing: filled, taken from once, never replaced by any other."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from typing import Any

import pytest

from games.bots.solver import Solver, rectangle
from games.engine.grid import square8
from games.redis import key, redis
from lobby import presence
from lobby.dealing import deals as lobby_deals
from lobby.dealing import desk, pool
from lobby.dealing.dealer import Dealer, NoBoard, Spec, TookTooLong
from lobby.dealing.desk import MOST_WAITING, Busy, Desk
from lobby.errors import LobbyError
from lobby.store import now_ms

SMALL = Spec(9, 9, 10)
SLOW = Spec(100, 100, 3500)
"""So dense that a search finds nothing for a long time."""


@pytest.fixture
async def dealer() -> AsyncIterator[Dealer]:
    dealer = Dealer()
    yield dealer
    await dealer.stop()


@pytest.fixture
async def own_desk() -> AsyncIterator[Desk]:
    own = Desk()
    yield own
    await own.close()


@pytest.fixture(autouse=True)
async def _site_desk() -> AsyncIterator[None]:
    yield
    await desk.close()


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


async def test_the_store_is_filled_and_every_board_is_handed_out_once(dealer):
    await pool.fill(SMALL, dealer, asyncio.Event(), kept=6)
    assert await pool.stored(SMALL) == 6
    some = await asyncio.gather(*(pool.take(SMALL) for _ in range(3)))
    taken = [*(deal for (deal,) in some), *await pool.take(SMALL, 3)]
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


async def test_a_crowd_finds_a_board_for_every_pair_of_players():
    race = pool.spec_for("race", {})
    assert (await pool.wanted())[race] == pool.KEPT
    await presence.seen_all(((f"u{n}", "guest") for n in range(3_000)), await now_ms())
    assert (await pool.wanted())[race] == 1_500
    assert (await pool.wanted()).keys() == set(pool.usual())


async def test_a_store_that_does_not_suffice_is_helped_out(dealer):
    await pool.fill(SMALL, dealer, asyncio.Event(), kept=2)
    taken = await pool.take(SMALL, 5)
    assert len(set(taken)) == 5
    games = [("classic", {"no_guess": True, "width": 9, "height": 9, "mines": 10}), ("claim", {})]
    board, none = await lobby_deals.deals_for(games)
    assert needs_no_guess(SMALL, board)
    assert none == b""


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
    assert 0 < await redis().ttl(key("deals:7x6x5")) <= pool.SPARE_SECONDS


@pytest.mark.parametrize("ask", [lobby_deals.deal_for, lobby_deals.check])
async def test_a_board_that_cannot_be_is_refused_with_a_reason(ask):
    # Two mines in the corners of a 2x2 board: no number ever tells them apart.
    options = {"width": 2, "height": 2, "mines": 2, "no_guess": True}
    with pytest.raises(LobbyError) as refused:
        await ask("classic", options)
    assert refused.value.code == "no_guess_failed"
    assert refused.value.extra == {"reason": "no_guess_budget"}


async def test_a_search_that_takes_too_long_is_given_up_and_the_next_one_succeeds(dealer):
    with pytest.raises(TookTooLong):
        await dealer.make(SLOW, 0.3)
    assert needs_no_guess(SMALL, await dealer.make(SMALL, 30))


@pytest.fixture
def processes(monkeypatch) -> list[asyncio.subprocess.Process]:
    """Those that were started during the test."""
    start, started = asyncio.create_subprocess_exec, []

    async def note(*command: str, **options: Any) -> asyncio.subprocess.Process:
        started.append(await start(*command, **options))
        return started[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", note)
    return started


async def test_one_process_makes_many_boards(dealer, processes):
    assert len({await dealer.make(SMALL, 30) for _ in range(5)}) == 5
    assert len(processes) == 1


async def test_the_same_seed_gives_the_same_board(dealer):
    first = await dealer.make(SMALL, 30, b"s" * 32)
    assert first == await dealer.make(SMALL, 30, b"s" * 32)
    assert first != await dealer.make(SMALL, 30, b"t" * 32)


@pytest.fixture
def short_searches(monkeypatch) -> None:
    monkeypatch.setattr(desk, "SLOW", 3.0)


async def test_slow_boards_of_one_visitor_do_not_delay_another(
    short_searches, own_desk, monkeypatch
):
    """However many somebody asks for: they are searched for elsewhere, and refused at the end."""
    monkeypatch.setattr(desk, "DENSE", 1.0)
    await own_desk.make(SMALL, "site")  # the process is there
    greedy = [asyncio.create_task(own_desk.make(SLOW, "greedy", b"", 3)) for _ in range(10)]
    await asyncio.sleep(0)
    loop = asyncio.get_running_loop()
    begin = loop.time()
    await own_desk.make(SMALL, "other")
    waited = loop.time() - begin
    refused = await asyncio.gather(*greedy, return_exceptions=True)
    assert sum(isinstance(error, Busy) for error in refused) >= 10 - MOST_WAITING
    assert all(isinstance(error, NoBoard) for error in refused)
    assert loop.time() - begin > 2 * waited  # slow ones were still being searched for


async def test_visitors_take_turns(own_desk):
    order: list[str] = []

    async def ask(visitor: str) -> None:
        await own_desk.make(SMALL, visitor)
        order.append(visitor)

    await asyncio.gather(*(ask(visitor) for visitor in ("a", "a", "a", "b", "c")))
    assert order == ["a", "b", "c", "a", "a"]


async def test_a_board_that_is_too_dense_is_refused_without_a_search(own_desk, processes):
    with pytest.raises(NoBoard) as refused:
        await own_desk.make(Spec(100, 100, 3500), "greedy")
    assert refused.value.code == "no_guess_budget"
    assert processes == []


async def test_the_refusals_have_stable_codes(monkeypatch):
    async def busy(*_: object) -> bytes:
        raise Busy("full")

    monkeypatch.setattr(Desk, "make", busy)
    options = {"width": 7, "height": 5, "mines": 6, "no_guess": True}
    with pytest.raises(LobbyError) as refused:
        await lobby_deals.deal_for("classic", options)
    assert refused.value.code == "dealing_busy"
