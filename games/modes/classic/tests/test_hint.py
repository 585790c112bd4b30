"""Hints: right, explained, recorded first, and for the player alone."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import AsyncClient

from accounts.models import User
from games.bots.solver import Solver, rectangle
from games.live.archive import archive
from games.live.seat_client import SeatClient
from games.live.setup import SeatInfo
from games.live.start import create_match
from games.models import Match
from games.modes.classic.hint import hint_for

pytestmark = pytest.mark.django_db(transaction=True)


def view_of(width: int, height: int, mines: int, shown: dict[int, int], **more: Any) -> Any:
    cells = [shown.get(cell, -1) for cell in range(width * height)]
    game = {"width": width, "height": height, "mines": mines, "cells": cells,
            "start": None, "started": 0, **more}  # fmt: skip
    return {"game": game, "options": {"safe_first": True}}


def test_a_proven_cell_comes_with_the_numbers_that_prove_it():
    # A row of eight: 0 at the left proves its neighbour; the 1 further on tells nothing of it.
    hint = hint_for(view_of(8, 1, 2, {0: 0, 3: 1}))
    assert (hint.kind, hint.cell, hint.numbers, hint.mine_count) == ("safe", 1, (0,), False)


def test_the_mine_count_is_named_when_it_is_needed():
    # One mine, seen by the 1: the cells out of its sight are safe only by the count.
    hint = hint_for(view_of(6, 1, 1, {0: 1}))
    assert (hint.kind, hint.mine_count, hint.numbers) == ("safe", True, (0,))
    assert hint_for(view_of(6, 1, 1, {0: 1}), cell=1).kind == "mine"


def test_a_cell_that_few_numbers_prove_comes_before_many_by_the_count():
    # The 0 at the right proves its neighbour; the mine count proves all to the left of the mine.
    hint = hint_for(view_of(20, 1, 1, {17: 1, 19: 0}))
    assert (hint.cell, hint.numbers, hint.mine_count) == (18, (19,), False)


def test_without_a_proof_the_best_guess_has_its_chance():
    hint = hint_for(view_of(3, 1, 1, {1: 1}))
    assert hint.kind == "guess"
    assert hint.chance == pytest.approx(0.5)
    assert hint.numbers == ()


def test_a_cell_that_is_asked_about():
    view = view_of(8, 1, 2, {0: 0, 3: 1})
    assert hint_for(view, cell=2).kind == "guess"
    assert hint_for(view, cell=0) is None
    assert hint_for(view, cell=99) is None


def test_a_wrong_flag_does_not_mislead():
    assert hint_for(view_of(8, 1, 2, {0: 0, 1: -2, 3: 1})).cell == 1


@pytest.mark.parametrize(("start", "cell"), [(5, 5), (None, 40)])
def test_the_beginning_is_safe_by_the_rules(start, cell):
    hint = hint_for(view_of(9, 9, 10, {}, start=start, started=None))
    assert (hint.kind, hint.cell, hint.rule) == ("safe", cell, True)


# -- over HTTP -----------------------------------------------------------------------------------


@pytest.fixture
async def ada() -> User:
    return await sync_to_async(User.objects.create_user)("Ada", password="x")


async def client_of(user: User) -> AsyncClient:
    client = AsyncClient()
    await sync_to_async(client.force_login)(user)
    return client


async def solo(user: User, mode: str = "classic") -> str:
    seats = [SeatInfo(user.pk, user.username, "registered")]
    options = {"width": 9, "height": 9, "mines": 10}
    return await create_match(mode, seats, options, rated=False, source="solo")


async def test_a_hint_is_recorded_and_true(ada):
    match = await solo(ada)
    client = await client_of(ada)
    async with await SeatClient.open(match, 0) as seat:
        await seat.act({"type": "reveal", "cell": 40})
        while seat.view["game"]["started"] is None:
            await seat.next()
        answer = await client.post(f"/match/{match}/hint/")
        assert answer.status_code == 200
        told = answer.json()
        while seat.view["game"]["hints"] == 0:
            await seat.next()
        cells = seat.view["game"]["cells"]
        assert cells[told["cell"]] == -1
        if told["kind"] == "safe":
            alone = Solver(rectangle(9, 9), mines=10 if told["mine_count"] else None)
            for cell, code in enumerate(cells):
                if code >= 0:
                    alone.mark_safe(cell)
            for cell in told["numbers"]:
                alone.reveal(cell, cells[cell])
            alone.analyse()
            assert told["cell"] in alone.safe
        await seat.act({"type": "surrender"})
        async for _ in seat:
            pass
    await archive(match)
    assert (await Match.objects.aget(pk=match)).aided


async def test_only_the_player_and_only_while_it_lasts(ada):
    match = await solo(ada)
    stranger = await sync_to_async(User.objects.create_user)("Bob", password="x")
    assert (await AsyncClient().post(f"/match/{match}/hint/")).status_code == 403
    refused = await (await client_of(stranger)).post(f"/match/{match}/hint/")
    assert refused.json()["code"] == "not_your_game"
    client = await client_of(ada)
    assert (await client.get(f"/match/{match}/hint/")).status_code == 405
    assert (await client.post(f"/match/{match}/hint/", {"cell": "x"})).status_code == 400
    async with await SeatClient.open(match, 0) as seat:
        assert seat.view["game"]["hints"] == 0  # refusals leave no mark
        await seat.act({"type": "surrender"})
        async for _ in seat:
            pass
    late = await client.post(f"/match/{match}/hint/")
    assert (late.status_code, late.json()["code"]) == (409, "no_hints_here")


async def test_no_hints_against_others(ada):
    seats = [SeatInfo(ada.pk, "Ada", "registered"), SeatInfo(None, "Bob", "guest")]
    match = await create_match("race", seats, {}, rated=False, source="invite")
    answer = await (await client_of(ada)).post(f"/match/{match}/hint/")
    assert answer.json()["code"] == "no_hints_here"
