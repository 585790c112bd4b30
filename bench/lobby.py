"""Thousands of idle visitors on one web process: `python -m bench.lobby [--sockets N]`.

Starts the site, signs N guests in, opens a lobby socket for each (in a process of their own), and
measures CPU time of the web process: opening, doing nothing, one change told to everybody. A
player's moves beside them show what the visitors cost a match; the peer is the same player on a
second site without them, by turns.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import tempfile
import time
from itertools import count
from pathlib import Path
from statistics import quantiles
from urllib.request import urlopen

import psutil

from bench.crowd import Crowd
from bench.load.wire import Socket, open_socket
from tests.running_site import RunningSite, new_site

IDLE_SECONDS = 10
ROUNDS, MOVES, MOVES_PER_SECOND = 3, 400, 100
LIMITS = {
    **{f"LIVE_{who}_{what}": "10000" for who in ("SEAT", "SOCKET") for what in ("RATE", "BURST")},
    "CONNECTIONS_PER_ADDRESS": "100000",
    "REQUESTS_PER_ADDRESS": "0",
    "SOLO_PER_ADDRESS": "100000",
}
"""Everybody comes from one address here."""
BARS = {"idle": 60.0, "change": 250.0, "kib": 15.0, "p99": 2.0, "open": 3.0, "pauses": 0}

SIGN_IN = """
from importlib import import_module
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from accounts.models import User
store = import_module(settings.SESSION_ENGINE).SessionStore
users = User.objects.bulk_create(
    User(username=f"bench{{n}}", kind="guest", password="!") for n in range({first}, {last})
)
for user in users:
    session = store()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    print(session.session_key)
"""

TELL = """
import asyncio
from lobby import notices
asyncio.run(notices.tell(notices.COUNTS, {{"type": "presence", "online": {number}}}))
"""


def process_of(site: RunningSite, name: str, number: int = 0) -> psutil.Process:
    """The site's process of this name: web, worker."""
    assert site.process is not None
    children = psutil.Process(site.process.pid).children(recursive=True)
    return [child for child in children if name in child.cmdline()][number]


def cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


def sign_in(site: RunningSite, number: int) -> list[str]:
    keys: list[str] = []
    for first in range(0, number, 1000):
        code = SIGN_IN.format(first=first, last=min(first + 1000, number))
        keys += site.python(code).split()
    return keys


async def connect(site: RunningSite, path: str, key: str) -> Socket:
    headers = {"Cookie": f"sessionid={key}", "Origin": site.url}
    return await open_socket(f"ws://127.0.0.1:{site.port}{path}", headers=headers)


async def play(site: RunningSite, key: str) -> list[float]:
    """Milliseconds from a move to its acknowledgement, of a player alone who flags and unflags."""
    lobby = await connect(site, "/ws/lobby/", key)
    await lobby.expect(b'"hello"')
    lobby.send(json.dumps({"type": "solo"}).encode())
    match = json.loads(await lobby.expect(b'"matched"'))["match"]
    lobby.close()
    socket = await connect(site, f"/ws/match/{match}/", key)
    socket.send(b'{"type":"hello","version":1}')
    await socket.expect(b'"view"')
    sent: dict[bytes, float] = {}
    took: list[float] = []
    all_answered = asyncio.Event()

    def hear(data: bytes) -> None:
        for cid in [cid for cid in sent if b'"id":"%b"' % cid in data]:
            took.append(1000 * (time.perf_counter() - sent.pop(cid)))
        if len(took) == MOVES:
            all_answered.set()

    socket.listen(hear)
    for number in range(MOVES):
        cid = b"b%d" % number
        sent[cid] = time.perf_counter()
        flag = b'{"type":"act","id":"%b","action":{"type":"flag","cell":0,"on":%b}}'
        socket.send(flag % (cid, b"false" if number % 2 else b"true"))
        await asyncio.sleep(1 / MOVES_PER_SECOND)
    async with asyncio.timeout(30):
        await all_answered.wait()
    socket.close()
    return took


async def change(site: RunningSite, crowd: Crowd, number: int) -> float:
    """Tell everybody; seconds until the last one has heard it."""
    await crowd.ask("expect", f'"online":{number}')
    await asyncio.to_thread(site.python, TELL.format(number=number))
    told = await crowd.ask("heard", 60)
    return float(told["after"])


async def beside(
    site: RunningSite, empty: RunningSite, keys: list[str], others: list[str]
) -> float:
    """The factor by which a move takes longer beside the crowd, with a change told every two
    seconds, than on a site without one; both are played on by turns, so that a busy machine is in
    both."""
    ratios = []
    for n in range(ROUNDS):
        alone = quantiles(await play(empty, others[n]), n=100)[98]
        telling = asyncio.create_task(keep_telling(site))
        crowded = quantiles(await play(site, keys[n]), n=100)[98]
        telling.cancel()
        await asyncio.gather(telling, return_exceptions=True)
        print(f"  p99 of a move: {alone:.1f} ms alone, {crowded:.1f} ms beside them", flush=True)
        ratios.append(crowded / alone)
    return sorted(ratios)[ROUNDS // 2]


async def keep_telling(site: RunningSite) -> None:
    for number in count(2_000_000):
        await asyncio.to_thread(site.python, TELL.format(number=number))
        await asyncio.sleep(2)


def pauses(site: RunningSite) -> tuple[int, int]:
    """Garbage collections of web and worker, and how many took more than 20 ms."""
    with urlopen(f"{site.url}/metrics") as answer:
        text = answer.read().decode()
    found = dict(re.findall(r'minesite_gc_pause_seconds_bucket{le="([^"]+)"} (\S+)', text))
    return int(float(found["+Inf"])), int(float(found["+Inf"]) - float(found["0.02"]))


async def measure(site: RunningSite, empty: RunningSite, number: int) -> None:
    web = process_of(site, "web")
    keys, others = sign_in(site, number + ROUNDS + 1), sign_in(empty, ROUNDS + 1)
    await play(site, keys.pop())  # everything is imported once
    await play(empty, others.pop())
    players, keys = keys[:ROUNDS], keys[ROUNDS:]
    async with Crowd(site.port) as crowd:
        warm, rest = keys[: number // 10], keys[number // 10 :]
        await crowd.open(warm)
        memory, spent = web.memory_info().rss, cpu(web)
        await crowd.open(rest)
        show("opening a socket", 1000 * (cpu(web) - spent) / len(rest), "open", "ms of CPU")
        await asyncio.sleep(2)
        kib = (web.memory_info().rss - memory) / 1024 / len(rest)
        show("memory of a socket", kib, "kib", "KiB")
        spent = cpu(web)
        await asyncio.sleep(IDLE_SECONDS)
        idle = 1000 * (cpu(web) - spent) / IDLE_SECONDS
        show("nobody does anything", idle, "idle", "ms of CPU a second")
        changes = []
        for n in range(5):
            await asyncio.sleep(1)
            spent = cpu(web)
            await change(site, crowd, 1_000_000 + n)
            changes.append(1000 * (cpu(web) - spent))
        show("one change to all", sorted(changes)[2], "change", "ms of CPU")
        ratio = await beside(site, empty, players, others)
        show("p99 of a move beside them", ratio, "p99", "times that without them")
    collections, long = pauses(site)
    show(f"of {collections} collections, > 20 ms", long, "pauses", "")


def show(name: str, value: float, bar: str, unit: str) -> None:
    print(f"  {name:<32} {value:>8.1f} {unit:<26} (the bar: {BARS[bar]:g})", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.lobby", description=__doc__)
    parser.add_argument("--sockets", type=int, default=10_000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        sites = [new_site(Path(folder) / name, **LIMITS) for name in ("crowded", "empty")]
        try:
            for site in sites:
                site.start()
            print(f"{asked.sockets} lobby sockets on one web process", flush=True)
            asyncio.run(measure(*sites, asked.sockets))
        finally:
            for site in sites:
                site.stop()


if __name__ == "__main__":
    main()
