"""A site goes on with the database and the running matches of every recorded release."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.request import urlopen

import pytest
from redis import Redis

from tests.redis_server import redis_server
from tests.running_site import RunningSite, new_site, wait_for
from tests.upgrade.recording import RECORDED, load_database, load_keys, load_matches

pytestmark = pytest.mark.site

GO_ON = """
import asyncio, json
from tests.upgrade.test_upgrade import go_on
print(json.dumps(asyncio.run(go_on({matches}))))
"""
VERIFY = """
import json
from games.replay import problems
from games.models import Match
finished = Match.objects.prefetch_related("seats").exclude(log=None)
print(json.dumps({match.pk: problems(match) for match in finished}))
"""


class Upgraded(NamedTuple):
    site: RunningSite
    recording: Path


async def go_on(matches: dict[str, int]) -> dict[str, list]:
    """Inside the site, for matches by id: what the seats saw after so many entries, and whether the
    match still ran. Players take their seats again and surrender."""
    from games.live.host import close, host
    from games.live.match_state import MatchState
    from games.live.seat_client import SeatClient
    from games.live.stored_log import read_entries

    seen = {}
    for match_id, entries in matches.items():
        first = await SeatClient.open(match_id, 0)
        log = await read_entries(host().servers, match_id)
        state = MatchState(log[0])
        for entry in log[1:entries]:
            state.apply(entry)
        seats = range(len(state.setup.seats))
        views = [state.view(seat)["game"] for seat in seats]
        seen[match_id] = [first.replica.over is None, views]
        for client in [first, *[await SeatClient.open(match_id, seat) for seat in seats[1:]]]:
            if client.replica.over is None:
                assert (await client.act({"type": "surrender"})).stored
        while not first.replica.has_last_row:
            await asyncio.sleep(0.01)
    await close()
    return seen


@pytest.fixture(scope="module", params=sorted(RECORDED.glob("*/")), ids=lambda folder: folder.name)
def upgraded(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Upgraded]:
    folder = tmp_path_factory.mktemp("upgraded")
    data_dir = folder / "var"
    data_dir.mkdir()
    load_database(request.param, data_dir / "db.sqlite3")
    url = f"unix://{folder / 'redis.sock'}"
    with redis_server(url, folder / "redis"):
        with Redis.from_url(url) as client:
            load_keys(client, request.param)
        site = new_site(data_dir, REDIS_URL=url)
        try:
            site.start()
            yield Upgraded(site, request.param)
        finally:
            site.stop()


def test_the_database_is_migrated(upgraded: Upgraded):
    upgraded.site.manage("migrate", "--check")


def test_finished_matches_are_as_their_logs_say(upgraded: Upgraded):
    found = json.loads(upgraded.site.python(VERIFY))
    assert len(found) >= 10
    assert {match: problems for match, problems in found.items() if problems} == {}


def test_pages_show_old_players_and_matches(upgraded: Upgraded):
    old = json.loads(
        upgraded.site.python(
            "import json; from games.models import Match, Seat\n"
            "match = Match.objects.filter(log__isnull=False, rated=True).first()\n"
            "print(json.dumps([match.pk, match.seats.first().name]))"
        )
    )
    for path in ("/", "/leaderboard/", f"/match/{old[0]}/", f"/@{old[1]}/"):
        with urlopen(f"{upgraded.site.url}{path}", timeout=20) as answer:
            assert answer.status == 200
    with urlopen(f"{upgraded.site.url}/@{old[1]}/", timeout=20) as answer:
        assert old[1] in answer.read().decode()


def test_running_matches_go_on_and_end(upgraded: Upgraded):
    recorded = load_matches(upgraded.recording)
    matches = {match_id: was["entries"] for match_id, was in recorded.items()}
    seen = json.loads(upgraded.site.python(GO_ON.format(matches=matches)))
    for match_id, was in recorded.items():
        is_running, views = seen[match_id]
        assert is_running, was["mode"]
        for view, old in zip(views, was["views"], strict=True):
            # A later release may show more.
            assert {key: view[key] for key in old} == old, was["mode"]

    def stored() -> bool:
        count = f"Match.objects.filter(pk__in={list(recorded)!r}).exclude(log=None).count()"
        asked = f"from games.models import Match; print({count})"
        return int(upgraded.site.python(asked)) == len(recorded)

    wait_for(stored, 30, "the archive of every running match")
    verified = json.loads(upgraded.site.python(VERIFY))
    assert {match_id: verified[match_id] for match_id in recorded} == {key: [] for key in recorded}
