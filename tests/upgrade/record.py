"""Records a release for the tests of later ones: `python -m tests.upgrade.record 1.2.0`.

Runs a site of its own, plays finished matches and one running match of every mode, and writes
database, Redis keys and views to `recorded/<name>/`. A recording is never rewritten.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
import sys
import tempfile
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

from tests.running_site import RunningSite, new_site, wait_for
from tests.upgrade.recording import MATCHES, RECORDED, dump_database, dump_keys

FINISHED = 12
MOVES = 12
TRIES = 30


async def play_and_dump(folder: Path) -> None:
    """Inside the site: a running match of every mode, dumped while its players are seated."""
    from asgiref.sync import sync_to_async
    from django.conf import settings
    from redis import Redis

    from games.engine.registry import REGISTRY
    from games.live import host

    await host.host().opened()
    random = Random(1)
    matches = {}
    for name in REGISTRY:
        # Random moves end some matches early.
        for _ in range(TRIES):
            match_id, described = await _play(name, random)
            if described is not None:
                matches[match_id] = described
                break
    assert len(matches) == len(REGISTRY), f"only {matches} are still running"
    (folder / MATCHES).write_text(json.dumps(matches, indent=1, sort_keys=True) + "\n")
    with closing(Redis.from_url(settings.REDIS_URL)) as client:
        await sync_to_async(dump_keys)(client, folder)
    await sync_to_async(_dump_copy)(Path(settings.DATABASES["default"]["NAME"]), folder)


async def _play(name: str, random: Random) -> tuple[str, dict[str, Any] | None]:
    from accounts.models import User
    from games.contract.subject import subject_of
    from games.engine.registry import REGISTRY
    from games.live.seat_client import SeatClient
    from games.live.setup import SeatInfo
    from games.live.start import create_match

    mode = REGISTRY[name]
    subject = subject_of(name)
    people = [user async for user in User.objects.filter(kind="registered").order_by("pk")]
    fewest = max(mode.seats[0], min(2, mode.seats[1]))
    seats = [SeatInfo(user.pk, user.username, "registered") for user in people[:fewest]]
    options = dict(mode.presets[0].options) if mode.presets else {}
    deal = subject.deal(random, mode.game.parse_options(options))
    match_id = await create_match(name, seats, options, rated=False, source="queue", deal=deal)
    clients = [await SeatClient.open(match_id, seat) for seat in range(fewest)]
    state = clients[0].replica.state
    if mode.game.spec.ready_check:
        for client in clients:
            await client.act({"type": "ready"})
    stored = 0
    for _ in range(40 * MOVES):
        seat = random.randrange(fewest)
        action = subject.act(random, state.state, seat)
        if action is not None and action["type"] not in ("surrender", "claim_win"):
            stored += (await clients[seat].act(action)).stored
        if stored == MOVES or clients[0].replica.over is not None:
            break
        await asyncio.sleep(0)
    if clients[0].replica.over is not None:
        return match_id, None
    views = [client.replica.view(client.viewer)["game"] for client in clients]
    return match_id, {"mode": name, "entries": state.next, "views": views}


def _dump_copy(database: Path, folder: Path) -> None:
    """Of a copy, because the site goes on writing."""
    copy = folder / "copy.sqlite3"
    with closing(sqlite3.connect(database)) as source, closing(sqlite3.connect(copy)) as target:
        source.backup(target)
    dump_database(copy, folder)
    copy.unlink()


def record(site: RunningSite, folder: Path) -> None:
    site.start()
    site.manage("demo", "--matches", str(FINISHED), "--password", "recorded-password")
    wait_for(site.healthy)
    site.python(
        "import asyncio; from pathlib import Path; from tests.upgrade.record import play_and_dump\n"
        f"asyncio.run(play_and_dump(Path({str(folder)!r})))"
    )


def main(name: str) -> None:
    folder = RECORDED / name
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory(prefix="minesite-record-") as data_dir:
        site = new_site(Path(data_dir) / "var")
        try:
            record(site, folder)
        finally:
            site.stop()
    for path in sorted(folder.iterdir()):
        print(f"{path.stat().st_size:>9,} bytes  {path}")


if __name__ == "__main__":
    main(sys.argv[1])
