"""Every address and every API operation, as everybody. The table says what each may; an address
that is not in it fails the test. To see what a new one answers, run this test and read its message.

A row of the table: method, route, and a status for each of PEOPLE; 0 where it is not asked.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from django.test import AsyncClient

from games.live.host import host
from games.live.setup import decode_setup
from games.live.stored_log import first_row
from minesite.api import api
from tests.authorisation.addresses import example, routes
from tests.authorisation.world import EMAIL, PEOPLE, PREFERENCE, STAFF, World, make_world

TABLE = Path(__file__).with_name("http.txt")
# Pages on which staff may see what others may not.
SHOWS_EMAIL = "admin/accounts/user/"
AT_THE_GATE = ("guest", "opponent", "spectator", "bot")
SHOWS_SEED = "admin/match/<str:match_id>/log/"

Row = tuple[str, str]


def table() -> dict[Row, list[int]]:
    rows = {}
    for line in TABLE.read_text().splitlines():
        if line and not line.startswith("#"):
            head, statuses = line.rsplit(" | ", 1)
            method, _, route = head.partition(" ")
            rows[method, route] = [int(one) for one in statuses.split()]
    return rows


def operations() -> set[Row]:
    return {
        (method.upper(), address.lstrip("/").replace("{", "<").replace("}", ">"))
        for address, item in api.get_openapi_schema()["paths"].items()
        for method in item
    }


def all_rows() -> list[Row]:
    """GET and POST of every address, and whatever else the API takes."""
    walked = {(method, route) for route in routes() for method in ("GET", "POST")}
    return sorted(walked | operations(), key=lambda row: (row[1], row[0]))


@pytest.fixture
def _no_limits(settings) -> None:
    settings.ACCOUNT_RATE_LIMITS = False
    settings.API_REQUESTS_PER_MINUTE = 1_000_000


async def secrets_of(world: World) -> dict[str, str]:
    """The values that nobody but Alice may read, by their kind."""
    here = host()
    await here.opened()
    first = await first_row(here.servers, world.match)
    assert first is not None
    return {
        "e-mail": EMAIL,
        "preferences": PREFERENCE,
        "token": world.alice_token.digest,
        "seed": decode_setup(first.commands[0].data).seed,
    }


def leaked(secrets: dict[str, str], route: str, person: str, body: str) -> list[str]:
    allowed = set()
    if person in STAFF:
        allowed |= {"e-mail"} if route.startswith(SHOWS_EMAIL) else set()
        allowed |= {"seed"} if route == SHOWS_SEED else set()
    return [what for what, text in secrets.items() if text in body and what not in allowed]


def session(client: AsyncClient) -> str:
    found = client.cookies.get("sessionid")
    return found.value if found else ""


def asked(person: str, row: Row) -> bool:
    """One gate keeps all but staff from the admin: that its forms are behind it too is asked for
    some, that its pages are for all."""
    return not (row[0] == "POST" and row[1].startswith("admin/") and person in AT_THE_GATE)


async def ask(world: World, client: AsyncClient, person: str, row: Row) -> tuple[int, str]:
    method, route = row
    before = session(client)
    answer = await client.generic(method, example(route, world), headers=world.headers(person))
    if session(client) != before:  # signed in or out by this
        client.cookies.clear()
        await world.enter(client, person)
    if answer.streaming:
        return answer.status_code, ""
    return answer.status_code, answer.content.decode(errors="replace")


@pytest.mark.asyncio
@pytest.mark.django_db(transaction=True)
@pytest.mark.timeout(600)
@pytest.mark.usefixtures("_no_limits")
async def test_everybody_may_what_the_table_says_and_sees_nothing_of_others():
    world = await make_world()
    rows = all_rows()
    found: dict[Row, list[int]] = {row: [] for row in rows}
    leaks = []
    for person in PEOPLE:
        client = world.client()
        await world.enter(client, person)
        await world.new_match()
        secrets = await secrets_of(world)
        for row in rows:
            if not asked(person, row):
                found[row].append(0)
                continue
            status, body = await ask(world, client, person, row)
            found[row].append(status)
            leaks += [(*row, person, what) for what in leaked(secrets, row[1], person, body)]
    if os.environ.get("WRITE_TABLE"):
        write(found)
    wanted = table()
    new = {row: answers for row, answers in found.items() if row not in wanted}
    assert not new, "addresses that are not in the table, with what they answer now"
    assert not wanted.keys() - found.keys(), "rows of the table that are no addresses any more"
    wrong = {row: (found[row], wanted[row]) for row in rows if found[row] != wanted[row]}
    assert not wrong, "answers now, and what the table says"
    assert not leaks


def test_the_table_has_no_mistakes_that_can_be_seen_in_it():
    """The table is written by people: some mistakes can be seen in it."""
    outside = [PEOPLE.index(person) for person in PEOPLE if person not in STAFF]
    anonymous, support = PEOPLE.index("anonymous"), PEOPLE.index("support")
    for (method, route), answers in table().items():
        assert len(answers) == len(PEOPLE), route
        assert all(status < 500 or route == "healthz" for status in answers), route
        if route.startswith("admin/"):
            assert all(answers[i] in (0, 302, 403) for i in outside), route
        if route.startswith("accounts/settings/") and route != "accounts/settings/":
            assert answers[anonymous] in (302, 403, 405), route
        if method == "POST" and route.startswith(("admin/games/", "admin/moderation/")):
            assert answers[support] in (200, 302, 403), route


def write(found: dict[Row, list[int]]) -> None:
    lines = ["# method route | " + " ".join(PEOPLE)]
    lines += [f"{m} {r} | {' '.join(map(str, answers))}" for (m, r), answers in found.items()]
    TABLE.write_text("\n".join(lines) + "\n")
