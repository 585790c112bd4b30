"""The HTTP API: what it gives, to whom, and what it says when it does not."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from accounts import tokens
from accounts.models import User
from games.api.problems import CODES
from games.api.urls import api
from games.models import Match
from tests.games.test_history import play

pytestmark = pytest.mark.django_db(transaction=True)
DOCS = (Path(__file__).resolve().parents[2] / "docs" / "api.md").read_text()


@pytest.fixture
def anna() -> User:
    return User.objects.create_user("anna", password="x")


def bearer(user: User, *scopes: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {tokens.issue(user, 'test', scopes)[1]}"}


def problem(response, status: int) -> str:
    assert response.status_code == status, response.content
    assert response["Content-Type"] == "application/problem+json"
    return response.json()["code"]


def test_its_address_leads_to_its_pages(client):
    response = client.get("/api/v1/", follow=True)
    assert response.redirect_chain == [("/api/v1/docs", 302)]
    assert response.status_code == 200


def test_me_is_the_account_of_the_token(client, anna):
    body = client.get("/api/v1/me", headers=bearer(anna, "read")).json()
    assert body["name"] == "anna"
    assert body["scopes"] == ["read"]
    assert body["match"] is None


@pytest.mark.parametrize(
    ("headers", "status", "code"),
    [({}, 401, "no_token"), ({"Authorization": "Bearer ms_x"}, 401, "bad_token")],
)
def test_without_a_token_there_is_no_me(client, headers, status, code):
    assert problem(client.get("/api/v1/me", headers=headers), status) == code


def test_a_cookie_is_not_enough(client, anna):
    client.force_login(anna)
    assert problem(client.get("/api/v1/me"), 401) == "no_token"


def test_scopes_are_kept_apart(client, anna):
    reading, playing = bearer(anna, "read"), bearer(anna, "play")
    assert problem(client.get("/api/v1/me", headers=playing), 403) == "missing_scope"
    assert problem(client.delete("/api/v1/queue", headers=reading), 403) == "missing_scope"


def test_a_match_s_seed_and_log_are_for_after_the_end(client, anna):
    match = play(1, (anna, "win"), (None, "loss"))
    Match.objects.update(status="live", seed="5" * 64)
    assert client.get(f"/api/v1/matches/{match.pk}").json()["seed"] == ""
    assert problem(client.get(f"/api/v1/matches/{match.pk}/log"), 409) == "not_over"
    Match.objects.update(status="over")
    assert client.get(f"/api/v1/matches/{match.pk}").json()["seed"] == "5" * 64


def test_a_private_history_is_private_here_too(client, anna):
    play(1, (anna, "win"), (None, "loss"))
    assert len(client.get("/api/v1/players/anna/matches").json()["matches"]) == 1
    User.objects.update(preferences={"private": True})
    assert client.get("/api/v1/players/anna/matches").json()["matches"] == []
    own = client.get("/api/v1/matches", headers=bearer(anna, "read")).json()
    assert len(own["matches"]) == 1


def test_no_operation_gives_an_e_mail_address(client, anna):
    anna.email = "anna@example.org"
    anna.save()
    for address in ("/api/v1/players/anna", "/api/v1/me"):
        body = client.get(address, headers=bearer(anna, "read")).content
        assert b"example.org" not in body


async def test_queue_join_look_leave(async_client):
    user = await User.objects.acreate(username="bert")
    from asgiref.sync import sync_to_async

    headers = await sync_to_async(bearer)(user, "play")
    wish = {"wishes": [{"mode": "race", "size": 2}]}
    joined = await async_client.post(
        "/api/v1/queue", wish, content_type="application/json", headers=headers
    )
    assert joined.json()["queues"] == ["race:2:casual"]
    looked = await async_client.get("/api/v1/queue", headers=headers)
    assert looked.json()["ticket"] == joined.json()["ticket"]
    assert (await async_client.delete("/api/v1/queue", headers=headers)).status_code == 204
    assert problem(await async_client.get("/api/v1/queue", headers=headers), 409) == "not_queued"


def test_too_many_requests_say_when_to_come_back(client, settings):
    settings.API_REQUESTS_PER_MINUTE = 2
    for _ in range(2):
        assert client.get("/api/v1/modes").status_code == 200
    refused = client.get("/api/v1/modes")
    assert problem(refused, 429) == "too_many_requests"
    assert 1 <= int(refused["Retry-After"]) <= 61
    assert "2 requests per minute" in refused.json()["limit"]


def test_every_operation_and_code_is_documented(client):
    paths = api.get_openapi_schema()["paths"]
    for address, item in paths.items():
        for method in item:
            line = f"`{method.upper()} {address.removeprefix('/api/v1')}`"
            assert line in DOCS, line
    for code in CODES:
        assert f"`{code}`" in DOCS
    page = client.get("/api/v1/docs").content.decode()
    assert all(address in page for address in paths)


@pytest.mark.site
def test_schemathesis_finds_nothing(site):
    token = site.manage("create_bot", "Fuzzer").strip()
    command = [
        Path(sys.executable).parent / "schemathesis", "run",
        f"{site.url}/api/v1/openapi.json", "--header", f"Authorization: Bearer {token}",
        "--max-examples", "8", "--phases", "coverage,fuzzing", "--seed", "7",
        "--generation-database", "none", "--warnings", "off",
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=110, check=False)
    assert done.returncode == 0, done.stdout[-4000:]
