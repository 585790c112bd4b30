"""The HTTP API: what it gives, to whom, and what it says when it does not."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from asgiref.sync import sync_to_async
from redis.exceptions import RedisError

from accounts import tokens
from accounts.models import User
from games.api import limits
from games.api.problems import CODES
from games.engine.registry import modes
from games.models import Match
from lobby import creation, matchmaker, queue
from lobby.errors import CODES as LOBBY_CODES
from lobby.pairing import pair
from lobby.plans import plan_for
from lobby.store import now_ms
from minesite.api import api
from tests.games.test_history import play
from tests.running_site import RunningSite, new_site

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


@pytest.mark.parametrize(
    "body",
    [
        {"wishes": [{"mode": "race"}], "bot": 0},
        {"wishes": [{"mode": "race", "rated": "yes"}]},
        {"wishes": [{"mode": "race", "size": "2"}]},
    ],
)
async def test_a_body_of_other_types_than_the_schema_says_is_refused(async_client, body):
    _, headers = await as_player("bert")
    status, _ = await call(async_client, headers)("POST", "/queue", body)
    assert status == 422


async def as_player(name: str) -> tuple[User, dict[str, str]]:
    user = await User.objects.acreate(username=name)
    return user, await sync_to_async(bearer)(user, "play", "read")


def call(client, headers):
    """A function that asks the API as this player and returns status and document."""

    async def ask(method: str, address: str, body: object = None):
        data = b"" if body is None else json.dumps(body).encode()
        answer = await client.generic(
            method, f"/api/v1{address}", data, content_type="application/json", headers=headers
        )
        return answer.status_code, answer.json()

    return ask


@pytest.mark.parametrize(
    ("size", "status"), [(2, 200), (2.0, 200), (2.5, 422), (7.0, 422), ("2", 422), (True, 422)]
)
async def test_a_whole_number_is_an_integer_as_in_the_schema(async_client, size, status):
    ask = call(async_client, (await as_player("bert"))[1])
    wish = {"mode": "race", "size": size}
    assert (await ask("POST", "/queue", {"wishes": [wish]}))[0] == status


async def test_two_programs_find_each_other_by_the_queue_alone(async_client):
    asks = [call(async_client, (await as_player(name))[1]) for name in ("bert", "carl")]
    wish = {"wishes": [{"mode": "race", "size": 2, "rated": True}]}
    tickets = [(await ask("POST", "/queue", wish))[1]["ticket"] for ask in asks]
    waiting = await queue.waiting()
    (group,) = pair(waiting, await now_ms(), matchmaker.config())
    plan = plan_for(group)
    assert await matchmaker.claim_all([plan], await now_ms())
    # Decided and not made yet: nobody is told that they do not wait.
    assert await asks[0]("GET", f"/queue?ticket={tickets[0]}") == (
        200,
        {"ticket": tickets[0], "queues": [], "waiting_since": 0, "match": None, "seat": None},
    )
    await creation.create(plan)
    stranger = call(async_client, (await as_player("dora"))[1])
    for ticket in tickets:  # of others
        status, refused = await stranger("GET", f"/queue?ticket={ticket}")
        assert (status, refused["code"]) == (409, "not_queued")
    for ask, ticket in zip(asks, tickets, strict=True):
        told = [await ask("GET", address) for address in (f"/queue?ticket={ticket}", "/queue")]
        seat = [mine.ticket for mine in plan.seats].index(ticket)
        assert [(status, body["match"], body["seat"]) for status, body in told] == [
            (200, plan.match, seat)
        ] * 2
        status, refused = await ask("POST", "/queue", wish)
        assert (status, refused["code"], refused["match"]) == (409, "already_in_match", plan.match)


async def test_two_programs_challenge_each_other(async_client):
    one, other = [(await as_player(name))[1] for name in ("bert", "carl")]
    bert, carl = call(async_client, one), call(async_client, other)
    wanted = {"opponent": "carl", "mode": "race"}
    assert (await bert("POST", "/challenges", wanted))[1]["code"] == "player_offline"
    assert await carl("GET", "/challenges") == (200, [])  # who looks is here
    sent = (await bert("POST", "/challenges", wanted))[1]
    (got,) = (await carl("GET", "/challenges"))[1]
    assert (got["id"], got["status"], got["by"]) == (sent["id"], "open", "bert")
    address = f"/challenges/{sent['id']}"
    match = (await carl("POST", address, {"accept": True}))[1]["match"]
    assert (await bert("GET", address))[1] == {**sent, "status": "accepted", "match": match}
    assert (await bert("GET", "/me"))[1]["match"] == match
    stranger = call(async_client, (await as_player("dora"))[1])
    assert (await stranger("GET", address))[1]["code"] == "no_such_challenge"


def test_without_redis_it_is_out_of_order_for_a_moment(client, monkeypatch):
    class Away:
        def add(self, *_: object, **__: object) -> None:
            raise RedisError("nobody there")

    monkeypatch.setattr(limits, "cache", Away())
    refused = client.get("/api/v1/modes")
    assert problem(refused, 503) == "unavailable"
    assert int(refused["Retry-After"]) > 0


def test_too_many_requests_say_when_to_come_back(client, settings):
    settings.API_REQUESTS_PER_MINUTE = 2
    for _ in range(2):
        assert client.get("/api/v1/modes").status_code == 200
    refused = client.get("/api/v1/modes")
    assert problem(refused, 429) == "too_many_requests"
    assert 1 <= int(refused["Retry-After"]) <= 61
    assert "2 requests per minute" in refused.json()["limit"]
    guessing = client.get("/api/v1/me", headers={"Authorization": "Bearer ms_guess"})
    assert problem(guessing, 429) == "too_many_requests"


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
    assert all(f'id="code-{code}"' in page for code in (*CODES, *LOBBY_CODES))


LEAD = """
from games.redis import sync_redis
from lobby.store import named
sync_redis().set(named("lead"), "somebody else")
"""
REQUESTS_ALONE = "".join(
    f"[phases.{phase}.extra-data-sources]\nresponses = false\n" for phase in ("coverage", "fuzzing")
)
"""Requests that repeat ids from earlier answers would differ from run to run."""


@pytest.fixture
def steady_site(tmp_path: Path) -> Iterator[RunningSite]:
    """A site whose answers depend on the requests alone: nothing is left over from other tests, no
    request exceeds a limit per minute, and no wave of the matchmaker comes in between."""
    running = new_site(tmp_path / "var", API_REQUESTS_PER_MINUTE="1000000")
    try:
        running.start()
        running.python(LEAD)
        yield running
    finally:
        running.stop()


@pytest.mark.site
@pytest.mark.timeout(600)
def test_schemathesis_finds_nothing(steady_site: RunningSite, tmp_path: Path):
    site, report, config = steady_site, tmp_path / "requests.har", tmp_path / "config.toml"
    config.write_text(REQUESTS_ALONE)
    token = site.manage("create_bot", "Fuzzer").strip()
    command = [
        Path(sys.executable).parent / "schemathesis", "--config-file", config, "run",
        f"{site.url}/api/v1/openapi.json", "--header", f"Authorization: Bearer {token}",
        "--max-examples", "8", "--phases", "coverage,fuzzing", "--seed", "7",
        "--generation-database", "none", "--warnings", "off", "--request-timeout", "60",
        "--report", "har", "--report-har-path", report,
        "--exclude-path", "/api/v1/events",  # never ends: tests/people/test_events.py
    ]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=500, check=False)
    assert done.returncode == 0, done.stdout[-4000:]
    entries = json.loads(report.read_text())["log"]["entries"]
    assert 429 not in {entry["response"]["status"] for entry in entries}


def test_the_schema_describes_every_modes_options(client):
    schema = client.get("/api/v1/openapi.json").json()["components"]["schemas"]
    for mode in modes():
        shape = schema[f"{mode.name.title().replace('-', '')}Options"]
        assert set(shape["properties"]) == {option.name for option in mode.options}
        assert shape["additionalProperties"] is False
    assert schema["WishIn"]["properties"]["mode"]["enum"] == [mode.name for mode in modes()]
    assert len(schema["ChallengeIn"]["properties"]["options"]["anyOf"]) == len(modes())
