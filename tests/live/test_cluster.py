"""The same log on a Redis Cluster of three nodes."""

from __future__ import annotations

import asyncio
import contextlib
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path

import pytest
from django.conf import settings
from redis import Redis
from redis.exceptions import RedisError

from games.live.heartbeat import GAP_MS, keys
from games.live.host import Host
from games.live.seat_client import SeatClient
from games.live.setup import MatchSetup, SeatInfo, new_id, new_seed
from games.live.stored_log import match_key, read_entries
from games.redis.node import Node
from games.redis.servers import SLOTS, Servers, slot
from minesite.private_redis import find_binary
from tests.chaos.replicated import Cluster, Server
from tests.live.conftest import until

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
def cluster() -> Iterator[dict[int, subprocess.Popen[bytes]]]:
    """The servers by their ports."""
    folder = Path(tempfile.mkdtemp(prefix="cluster-"))
    ports = [_free_ports() for _ in range(NODES)]
    processes = []
    for port in ports:
        (folder / str(port)).mkdir()
        options = ["--port", port, "--cluster-enabled", "yes"]
        options += ["--dir", folder / str(port), "--save", "", "--appendonly", "no"]
        options += ["--cluster-node-timeout", 2000, "--cluster-require-full-coverage", "no"]
        processes.append(
            subprocess.Popen([find_binary(), *map(str, options)], stdout=subprocess.DEVNULL)
        )
    clients = [Redis(port=port) for port in ports]
    try:
        _wait(lambda: all(_pings(client) for client in clients))
        share = SLOTS // NODES + 1
        for i, client in enumerate(clients):
            # As `redis-cli --cluster create` does. Nodes with equal epochs settle that among
            # themselves; meanwhile the old owner of a slot may win it back from the node that
            # just imported it, which then deletes the keys.
            client.execute_command("CLUSTER", "SET-CONFIG-EPOCH", i + 1)
            last = min(SLOTS, (i + 1) * share) - 1
            client.execute_command("CLUSTER", "ADDSLOTS", *range(i * share, last + 1))
        for port in ports[1:]:
            clients[0].execute_command("CLUSTER", "MEET", "127.0.0.1", port)
        _wait(lambda: all(_is_whole(client) for client in clients))
        yield dict(zip(ports, processes, strict=True))
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
async def two_hosts(cluster):
    made = [Host(f"redis://127.0.0.1:{min(cluster)}", settings.REDIS_URL) for _ in range(2)]
    for host in made:
        await host.opened()
    await until(lambda: all(host.servers.is_up for host in made))
    yield made
    for host in made:
        await host.close()


async def seated(one: Host, two: Host, match_id: str) -> tuple[SeatClient, SeatClient]:
    seats = [SeatInfo(None, "ann", "guest"), SeatInfo(None, "bob", "guest")]
    setup = MatchSetup("claim", 1, new_seed(), seats, {}, False, "queue")
    await one.create(match_id, setup.encode())
    ann = SeatClient(one, await one.join(match_id), 0)
    bob = SeatClient(two, await two.join(match_id), 1)
    for player in (ann, bob):
        assert (await player.act({"type": "ready"})).stored
    await until(lambda: ann.replica.state.state.phase == "live")
    await until(lambda: bob.replica.state.state.phase == "live")
    return ann, bob


def _one_id_per_node(host: Host) -> list[str]:
    """Ids are drawn at random, so they are drawn until every node has one."""
    chosen: dict[Node, str] = {}
    while len(chosen) < NODES:
        match_id = new_id()
        node = host.servers.node(slot(match_key(match_id, "log")))
        chosen.setdefault(node, match_id)
    return list(chosen.values())


def test_slots_are_computed_as_redis_does(cluster):
    with Redis(port=min(cluster)) as client:
        for name in ("foo", "m:{abcdefghij00}:log", "{}x", "a{b", "live:{site}:procs", "ü"):
            assert slot(name) == client.execute_command("CLUSTER KEYSLOT", name)


async def test_matches_live_on_all_nodes_and_two_processes_agree(two_hosts):
    one, two = two_hosts
    for match_id in _one_id_per_node(one):
        ann, bob = await seated(one, two, match_id)
        for cell in range(6):
            player = (ann, bob)[cell % 2]
            assert (await player.act({"type": "claim", "cell": cell})).stored
        await until(lambda a=ann, b=bob: a.replica.state.next == b.replica.state.next)
        assert ann.replica.state.state == bob.replica.state.state
        ann.close()
        bob.close()


async def test_a_slot_that_moved_is_found(two_hosts, cluster):
    """Commands that leave together go to a node that redirects them all."""
    one, two = two_hosts
    match_id = new_id()
    ann, _bob = await seated(one, two, match_id)
    number = slot(match_key(match_id, "log"))
    before = one.servers.node(number)
    moving = Moving(cluster, number)
    moving.begin()
    moving.move_keys()
    moving.end()
    assert one.servers.node(number) is before
    claims = ({"type": "claim", "cell": cell} for cell in range(5))
    assert all(done.stored for done in await asyncio.gather(*map(ann.act, claims)))
    assert one.servers.node(number) is not before


async def test_a_match_goes_on_while_its_slot_moves_to_another_node(two_hosts, cluster):
    one, two = two_hosts
    match_id = new_id()
    ann, bob = await seated(one, two, match_id)
    moving = Moving(cluster, slot(match_key(match_id, "log")))
    moving.begin()
    assert (await ann.act({"type": "claim", "cell": 1})).stored
    moving.move_keys()
    assert (await bob.act({"type": "claim", "cell": 2})).stored
    moving.end()
    assert (await ann.act({"type": "claim", "cell": 3})).stored
    cells = [
        e.body()["cell"] for e in await read_entries(one.servers, match_id) if b"cell" in e.data
    ]
    assert cells == [1, 2, 3]


async def test_a_process_starts_while_the_first_node_of_the_address_is_away(cluster):
    dead = _free_ports()
    ports = ",".join(f"127.0.0.1:{port}" for port in (dead, *cluster))
    host = Host(f"redis://{ports}", settings.REDIS_URL)
    try:
        await asyncio.wait_for(host.opened(), 10)
        await until(lambda: host.servers.is_up)
        assert len(host.servers.serving) == NODES
    finally:
        await host.close()


async def test_a_process_starts_at_a_replica_of_the_cluster():
    """A primary that died comes back as one, and addresses in the settings stay as they are."""
    replicated = Cluster(random.Random(1))
    replica = replicated.servers[-1]
    assert not replica.is_primary
    host = Host(f"redis://127.0.0.1:{replica.port}", settings.REDIS_URL)
    try:
        await asyncio.wait_for(host.opened(), 10)
        await until(lambda: host.servers.is_up)
        ann, _bob = await seated(host, host, new_id())
        assert (await ann.act({"type": "claim", "cell": 1})).stored
    finally:
        await host.close()
        replicated.stop()


async def test_several_addresses_are_nodes_of_a_cluster_or_refused(tmp_path, caplog):
    """Otherwise one server would have the log today, and another one tomorrow."""
    both = [Server(tmp_path) for _ in range(2)]
    servers = Servers("redis://" + ",".join(f"127.0.0.1:{each.port}" for each in both))
    try:
        await until(lambda: "several servers that are no cluster" in caplog.text)
        assert not servers.is_up
    finally:
        await servers.close()
        for each in both:
            each.stop()


class Moving:
    """A slot on its way from the server that has it to another one."""

    def __init__(self, ports: Iterable[int], number: int) -> None:
        self._slot = number
        self._clients = {port: Redis(port=port) for port in ports}
        self._ids = {p: client.cluster("MYID").decode() for p, client in self._clients.items()}
        self._source = next(port for port in ports if self._has_slot(port))
        self._target = next(port for port in ports if port != self._source)

    def _has_slot(self, port: int) -> bool:
        try:
            self._clients[port].exists(self._key)
        except RedisError:
            return False
        return True

    @property
    def _key(self) -> str:
        return next(f"{{{i}}}" for i in count() if slot(str(i)) == self._slot)

    def _set(self, port: int, state: str, node: int) -> None:
        self._clients[port].cluster("SETSLOT", self._slot, state, self._ids[node])

    def begin(self) -> None:
        self._set(self._target, "IMPORTING", self._source)
        self._set(self._source, "MIGRATING", self._target)

    def move_keys(self) -> None:
        source = self._clients[self._source]
        for name in source.cluster("GETKEYSINSLOT", self._slot, 100):
            source.execute_command("MIGRATE", "127.0.0.1", self._target, name, 0, 1000)

    def end(self) -> None:
        for port in (self._target, self._source, *self._clients):
            self._set(port, "NODE", self._target)
        for client in self._clients.values():
            client.close()


def _tags(host: Host, ports: Iterable[int]) -> dict[int, str]:
    """By port: the hash tag of the heartbeats that the server has of this process."""
    found = {}
    for port in ports:
        with Redis(port=port) as client:
            for name in client.keys(keys("*")[0]):
                if client.zscore(name, host.process) is not None:
                    found[port] = name.decode().partition("{")[2].partition("}")[0]
    return found


async def test_heartbeats_follow_their_slot_to_another_node(two_hosts, cluster):
    one, two = two_hosts

    def tags(host: Host) -> dict[int, str]:
        return _tags(host, cluster)

    players = [await seated(one, two, match_id) for match_id in _one_id_per_node(one)]

    def agree() -> bool:
        """Every server has heartbeats of both processes, where both look for them."""
        found = tags(one)
        if len(found) < NODES or found != tags(two):
            return False
        nodes = [each.servers.node(slot(tag)) for each in (one, two) for tag in found.values()]
        return [node.address.port for node in nodes] == [*found, *found]

    await until(agree)
    before = tags(one)
    moving = Moving(cluster, slot("0"))
    moving.begin()
    moving.move_keys()
    moving.end()
    await until(lambda: tags(one) != before and agree())
    # Nobody takes what a server that lost its tag stops saying for an outage later.
    unused = [keys(tag)[2] for tag in set(before.values()) - set(tags(one).values())]
    await until(lambda: not any(_exists(cluster, name) for name in unused))
    for ann, bob in players:
        assert (await ann.act({"type": "claim", "cell": 1})).stored
        assert (await bob.act({"type": "claim", "cell": 2})).stored


def _exists(ports: Iterable[int], name: str) -> bool:
    for port in ports:
        with Redis(port=port) as client, contextlib.suppress(RedisError):
            if client.exists(name):
                return True
    return False


async def test_a_node_that_is_away_stops_its_own_matches_and_no_others(two_hosts, cluster):
    """Time stands still in those matches alone."""
    one, two = two_hosts
    matches = {}
    for match_id in _one_id_per_node(one):
        ann, bob = await seated(one, two, match_id)
        matches[one.servers.node(ann.replica.log.slot)] = ann, bob
    away, *others = matches
    assert away.address is not None
    process = cluster[away.address.port]
    origins = {node: ann.replica.state.state.origin for node, (ann, _bob) in matches.items()}
    process.send_signal(signal.SIGSTOP)
    try:
        stuck = asyncio.create_task(matches[away][0].act({"type": "claim", "cell": 1}))
        ends = time.monotonic() + GAP_MS / 1000 + 1
        cells = iter(range(900))
        while time.monotonic() < ends:
            for node in others:
                ann, bob = matches[node]
                async with asyncio.timeout(1):
                    assert (await ann.act({"type": "claim", "cell": next(cells)})).stored
                    assert (await bob.act({"type": "claim", "cell": next(cells)})).stored
            await asyncio.sleep(0.05)
        assert not stuck.done()
        assert not one.heartbeats.are_logs_up
        assert one.heartbeat.is_answered
    finally:
        process.send_signal(signal.SIGCONT)
    assert (await asyncio.wait_for(stuck, 20)).stored
    await until(lambda: one.heartbeats.are_logs_up)
    for player in matches[away]:
        await until(lambda p=player: p.replica.state.state.origin > origins[away])
    for node, (ann, bob) in matches.items():
        await until(lambda a=ann, b=bob: a.replica.state.next == b.replica.state.next)
        kinds = [e.kind for e in await read_entries(one.servers, ann.replica.id)]
        moved = ann.replica.state.state.origin - origins[node]
        assert kinds.count("outage") == (node is away)
        assert not kinds.count("drop")
        assert (GAP_MS <= moved < GAP_MS + 10_000) if node is away else moved == 0


@pytest.fixture
def site_redis() -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """The port and the process of a Redis for everything but logs."""
    with tempfile.TemporaryDirectory(prefix="site-redis-") as folder:
        port = _free_ports()
        options = ["--port", port, "--dir", folder, "--save", "", "--appendonly", "no"]
        command = [find_binary(), *map(str, options)]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        try:
            with Redis(port=port) as client:
                _wait(lambda: _pings(client))
            yield port, process
        finally:
            process.kill()
            process.wait()


async def test_matches_go_on_while_the_redis_of_the_lobby_is_away(cluster, site_redis):
    port, process = site_redis
    host = Host(f"redis://127.0.0.1:{min(cluster)}", f"redis://127.0.0.1:{port}")
    try:
        await host.opened()
        ann, bob = await seated(host, host, new_id())
        process.send_signal(signal.SIGSTOP)
        ends = time.monotonic() + GAP_MS / 1000 + 1
        cells = iter(range(900))
        while time.monotonic() < ends:
            async with asyncio.timeout(1):
                assert (await ann.act({"type": "claim", "cell": next(cells)})).stored
                assert (await bob.act({"type": "claim", "cell": next(cells)})).stored
            await asyncio.sleep(0.05)
        assert not host.heartbeat.is_answered
        process.send_signal(signal.SIGCONT)
        await until(lambda: host.heartbeat.is_answered)
        kinds = [e.kind for e in await read_entries(host.servers, ann.replica.id)]
        assert not {"outage", "drop"} & set(kinds)
    finally:
        process.send_signal(signal.SIGCONT)
        await host.close()
