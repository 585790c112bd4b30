"""The same log on a Redis Cluster of three nodes."""

from __future__ import annotations

import asyncio
import contextlib
import random
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis
from redis.exceptions import RedisError

from games.live.appends import APPENDED
from games.live.entry import from_hint
from games.live.host import Host
from games.live.log import Log, key
from games.live.pipe import Pipe
from games.live.seat import SeatClient
from games.live.setup import MatchSetup, SeatInfo, new_id, new_seed
from games.live.store import SLOTS, slot
from minesite.private_redis import find_binary, version
from tests.live.conftest import until
from tests.live.test_log import alone, append

NODES = 3
BUS = 10_000
"""Before Redis 7 a node's bus always has a port so much higher than its own."""


def _free_ports() -> int:
    """A port that is free together with its bus."""
    while True:
        port = random.randrange(20_000, 50_000)
        with contextlib.suppress(OSError), contextlib.ExitStack() as probes:
            for number in (port, port + BUS):
                probes.enter_context(socket.create_server(("127.0.0.1", number)))
            return port


@pytest.fixture(scope="module")
def cluster() -> Iterator[list[int]]:
    folder = Path(tempfile.mkdtemp(prefix="cluster-"))
    ports = [_free_ports() for _ in range(NODES)]
    processes = []
    for port in ports:
        (folder / str(port)).mkdir()
        options = ["--port", port, "--cluster-enabled", "yes"]
        options += ["--dir", folder / str(port), "--save", "", "--appendonly", "no"]
        options += ["--cluster-node-timeout", 2000, "--loglevel", "warning"]
        processes.append(
            subprocess.Popen([find_binary(), *map(str, options)], stdout=subprocess.DEVNULL)
        )
    clients = [Redis(port=port) for port in ports]
    try:
        _wait(lambda: all(_pings(client) for client in clients))
        share = SLOTS // NODES + 1
        for i, client in enumerate(clients):
            last = min(SLOTS, (i + 1) * share) - 1
            client.execute_command("CLUSTER", "ADDSLOTS", *range(i * share, last + 1))
        for port in ports[1:]:
            clients[0].execute_command("CLUSTER", "MEET", "127.0.0.1", port)
        _wait(lambda: all(_is_whole(client) for client in clients))
        yield ports
    finally:
        for client in clients:
            client.close()
        for process in processes:
            process.kill()
            process.wait()
        shutil.rmtree(folder)


def _wait(condition) -> None:
    deadline = time.monotonic() + 20
    while not condition():
        assert time.monotonic() < deadline, "the cluster does not come up"
        time.sleep(0.02)


def _pings(client: Redis) -> bool:
    try:
        return bool(client.ping())
    except RedisError:
        return False


def _is_whole(client: Redis) -> bool:
    info = client.cluster("INFO")
    return info["cluster_state"] == "ok" and info["cluster_known_nodes"] == str(NODES)


@pytest.fixture
async def two_hosts(cluster, redis_prefix):
    made = [Host(f"redis://127.0.0.1:{cluster[0]}", redis_prefix) for _ in range(2)]
    for host in made:
        await host.opened()
    yield made
    for host in made:
        await host.close()


def test_slots_are_computed_as_redis_does(cluster):
    with Redis(port=cluster[0]) as client:
        for name in ("foo", "m:{abcdefghij00}:log", "{}x", "a{b", "live:{site}:procs", "ü"):
            assert slot(name) == client.execute_command("CLUSTER KEYSLOT", name)


async def test_matches_live_on_all_shards_and_two_processes_agree(two_hosts):
    one, two = two_hosts
    assert one.store.is_cluster
    assert one.store.publish == ("SPUBLISH" if version(find_binary()) >= (7, 0) else "PUBLISH")
    seats = [SeatInfo(None, "ann", "guest"), SeatInfo(None, "bob", "guest")]
    for match_id in _one_id_per_shard(one):
        setup = MatchSetup("claim", 1, new_seed(), seats, {}, False, "queue")
        log = Log(one.store, match_id)
        await log.create(setup.encode())
        ann = SeatClient(one, await one.join(log.id), 0)
        bob = SeatClient(two, await two.join(log.id), 1)
        assert (await ann.act({"type": "ready"})).stored
        assert (await bob.act({"type": "ready"})).stored
        await until(lambda a=ann: a.replica.course.state.phase == "live")
        for cell in range(6):
            player = (ann, bob)[cell % 2]
            assert (await player.act({"type": "claim", "cell": cell})).stored
        await until(lambda a=ann, b=bob: a.replica.course.next == b.replica.course.next)
        assert ann.replica.course.state == bob.replica.course.state
        ann.close()
        bob.close()


def _one_id_per_shard(host: Host) -> list[str]:
    """Ids are drawn at random, so they are drawn until every node has one."""
    chosen: dict[Pipe, str] = {}
    while len(chosen) < NODES:
        match_id = new_id()
        chosen.setdefault(host.store.pipe(host.store.key(key(match_id, "log"))), match_id)
    return list(chosen.values())


async def test_a_slot_that_moved_is_found(two_hosts, cluster):
    """The map is wrong on purpose: every command goes to a node that sends it on."""
    store = two_hosts[0].store
    log = Log(store, new_id())
    await log.create(b"{}")
    wrong = next(pipe for pipe in set(store._slots) if pipe is not store.pipe(log._log))
    store._slots[slot(log._log)] = wrong
    answers = await asyncio.gather(*(append(log, f"c{n}") for n in range(5)))
    assert [a.status for a in answers] == [APPENDED] * 5
    assert [e.cid for e in (await log.read())[1:]] == [f"c{n}" for n in range(5)]
    assert store.pipe(log._log) is not wrong


async def test_entries_of_one_turn_are_heard_by_a_second_host(two_hosts):
    """Each is a call of its own here; the one who was alone did not know when it sent them."""
    store = two_hosts[0].store
    log = Log(store, new_id())
    await log.create(b"{}")
    heard: list[bytes] = []
    await store.listen(key(log.id, "new"), heard.append)
    await log.host("me")
    await log.host("other")
    assert [a.hosts for a in await alone(log, "a")] == [2]
    log.reader.known = 2
    sent = [append(log, cid) for cid in "bcd"]
    assert [a.hosts for a in await asyncio.gather(*sent)] == [2, 2, 2]
    await until(lambda: [e.cid for raw in heard for e in from_hint(raw)] == list("abcd"))


@pytest.mark.parametrize("moved", ["head", "log"])
async def test_an_entry_waits_while_the_keys_of_its_match_are_on_two_nodes(
    two_hosts, cluster, moved
):
    store = two_hosts[0].store
    log = Log(store, new_id())
    await log.create(b"{}")
    await log.host("me")
    await log.host("other")
    number, source = slot(log._log), store.pipe(log._log).address.port
    target = next(port for port in cluster if port != source)
    clients = {port: Redis(port=port) for port in cluster}
    ids = {port: client.cluster("MYID").decode() for port, client in clients.items()}

    def migrate(name: str | bytes) -> None:
        clients[source].execute_command("MIGRATE", "127.0.0.1", target, name, 0, 1000)

    clients[target].execute_command("CLUSTER", "SETSLOT", number, "IMPORTING", ids[source])
    clients[source].execute_command("CLUSTER", "SETSLOT", number, "MIGRATING", ids[target])
    migrate(store.key(key(log.id, moved)))
    waiting = asyncio.ensure_future(append(log, "x"))
    try:
        await asyncio.wait([waiting], timeout=0.3)
        assert not waiting.done()
    finally:
        for name in clients[source].execute_command("CLUSTER", "GETKEYSINSLOT", number, 100):
            migrate(name)
        for client in clients.values():
            client.execute_command("CLUSTER", "SETSLOT", number, "NODE", ids[target])
            client.close()
    answer = await asyncio.wait_for(waiting, 10)
    assert (answer.status, answer.hosts) == (APPENDED, 2)
