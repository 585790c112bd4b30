"""Another program keeps SQLite locked: visitors are told so, and /healthz says why."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPMessage

import pytest

from tests.deploy.players import make_matches
from tests.hardening.probe import probing
from tests.running_site import RunningSite, wait_for

pytestmark = [pytest.mark.site, pytest.mark.timeout(120)]

SIGN_IN = """
from django.test import Client
from accounts.models import User
client = Client()
client.force_login(User.objects.get(username="Ann"))
print(client.session.session_key)
"""


@pytest.fixture
def lock(site: RunningSite) -> Iterator[sqlite3.Connection]:
    path = site.data_dir / "db.sqlite3"
    with closing(sqlite3.connect(path, timeout=20, isolation_level=None)) as connection:
        yield connection


def ask(site: RunningSite, method: str, path: str, **headers: str) -> tuple[int, HTTPMessage, str]:
    http = HTTPConnection("127.0.0.1", site.port, timeout=30)
    http.request(method, path, headers={"Accept": "text/html", **headers})
    answer = http.getresponse()
    told = answer.status, answer.headers, answer.read().decode()
    http.close()
    return told


def test_pages_say_that_the_database_is_locked_while_it_is(
    site: RunningSite, lock: sqlite3.Connection
) -> None:
    matches = make_matches(site, 1)
    session = site.python(SIGN_IN).strip()
    _status, headers, _form = ask(site, "GET", "/accounts/guest/")
    found = re.search(r"csrftoken=(\w+)", headers["Set-Cookie"])
    assert found
    guest = {"Cookie": found[0], "X-CSRFToken": found[1], "Origin": site.url}
    with probing(site.url, matches, matches.ids[0]) as probe:
        lock.execute("BEGIN EXCLUSIVE")
        try:
            status, headers, text = ask(site, "POST", "/accounts/guest/", **guest)
            assert (status, headers["Retry-After"]) == (503, "60")
            assert "reach its database right now" in text
            status, health = site.health()
            assert (status, health["database"], health["redis"]) == (503, "down", "up")
            assert ask(site, "GET", "/")[0] == 200
            assert ask(site, "GET", "/history/", Cookie=f"sessionid={session}")[0] == 200
            moves = len(probe.milliseconds)
            wait_for(lambda: len(probe.milliseconds) > moves + 5, what="moves")
        finally:
            lock.execute("ROLLBACK")
        assert not probe.lost
    assert ask(site, "POST", "/accounts/guest/", **guest)[0] in (200, 302)
    wait_for(site.healthy)
    assert "Traceback" not in site.output
