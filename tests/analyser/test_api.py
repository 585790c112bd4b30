"""`POST /api/v1/analyse`: answers, refusals, and their place in the docs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import AsyncClient

from games.analyser import answer, api
from games.analyser.desk import NoAnswer
from minesite.api import api as site_api

pytestmark = pytest.mark.usefixtures("_own_desk")
DOCS = (Path(__file__).resolve().parents[2] / "docs" / "analyser.md").read_text()


async def ask(**question: Any) -> Any:
    return await AsyncClient().post(
        "/api/v1/analyse", json.dumps(question), content_type="application/json"
    )


async def test_it_answers_a_position_from_a_process_of_its_own() -> None:
    response = await ask(position="##\n11", mines=1, cell=0)
    assert response.status_code == 200, response.content
    found = response.json()
    assert found["position"] == "2x2x1-Hb1b"
    assert found["chances"] == [0.5, 0.5, None, None]
    assert found["win"] == 0.5
    assert found["wins"] == [[0, 0.5], [1, 0.5]]
    assert found["why"]["kind"] == "undecided"


async def test_a_contradiction_is_told_in_a_sentence() -> None:
    found = (await ask(position="3x1x2-M1M")).json()
    assert found["status"] == "contradiction"
    assert found["conflict"]["text"] == "The 1 in row 1, column 2 touches 2 known mines."


@pytest.mark.parametrize(
    ("question", "code", "more"),
    [
        ({"position": ""}, "position_empty", {}),
        ({"position": "##\n##"}, "position_mines", {"most": 4}),
        ({"position": "#@", "mines": 1}, "position_sign", {"sign": "@", "row": 1, "column": 2}),
        ({"position": "##\n#", "mines": 1}, "position_row", {"found": 1, "wanted": 2}),
        ({"position": "##", "mines": 1, "cell": 2}, "position_cell", {}),
        ({"position": "#" * 20_001, "mines": 1}, "bad_request", {}),
        ({"position": "##", "mines": -1}, "bad_request", {}),
        ({}, "bad_request", {}),
    ],
)
async def test_what_is_no_position_is_refused(
    question: dict[str, Any], code: str, more: dict[str, Any]
) -> None:
    response = await ask(**question)
    body = response.json()
    assert response.status_code == (422 if code == "bad_request" else 409)
    assert body["code"] == code
    assert body["detail"]
    assert {name: body[name] for name in more} == more


@pytest.mark.parametrize(("code", "status"), [("analyser_busy", 503), ("analyser_too_slow", 409)])
async def test_a_desk_without_an_answer_says_why(monkeypatch, code: str, status: int) -> None:
    class Closed:
        async def ask(self, *_: Any) -> bytes:
            raise NoAnswer(code)

    monkeypatch.setattr(api.desk, "desk", Closed)
    response = await ask(position="##\n11", mines=1)
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert ("Retry-After" in response) == (status == 503)


async def test_an_address_asks_only_so_often(settings) -> None:
    settings.API_REQUESTS_PER_MINUTE = 2
    asked = [await ask(position="") for _ in range(3)]  # the minute may end once meanwhile
    refused = [response for response in asked if response.status_code == 429]
    assert refused
    assert refused[0].json()["code"] == "too_many_requests"
    assert int(refused[0]["Retry-After"]) > 0


def test_every_code_and_field_is_in_the_docs() -> None:
    names = {*api.CODES, *api.CONFLICTS, *api.AnalysisOut.model_fields}
    assert not [name for name in names if f"`{name}`" not in DOCS]
    assert "/api/v1/analyse" in site_api.get_openapi_schema()["paths"]


def test_the_answer_has_the_fields_of_the_schema() -> None:
    position = api.read("##\n11", 1)
    assert set(answer.answer(position)) <= set(api.AnalysisOut.model_fields)
