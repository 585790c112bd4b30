"""The worker with the TCP port is killed in the middle of a match, and the player comes back."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from tests.running_site import RunningSite, new_site, wait_for

from .battleship_client import BOARD, WATER, TcpClient, WebSocketClient, queue

pytestmark = pytest.mark.site
KEY = "k" * 16


@pytest.fixture
def own_site(tmp_path: Path) -> Iterator[RunningSite]:
    site = new_site(tmp_path / "var")
    try:
        site.start()
        yield site
    finally:
        site.stop()


@pytest.fixture
def clients(own_site: RunningSite) -> Iterator[Callable[[type[TcpClient]], TcpClient]]:
    with contextlib.ExitStack() as stack:

        def make(kind: type[TcpClient]) -> TcpClient:
            client = kind(own_site)
            stack.callback(client.close)
            return client

        yield make


def worker_of(site: RunningSite) -> psutil.Process | None:
    assert site.process is not None
    for child in psutil.Process(site.process.pid).children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if "worker" in child.cmdline() and child.status() != psutil.STATUS_ZOMBIE:
                return child
    return None


@pytest.mark.parametrize("how", ["kill", "terminate"])
def test_a_restart_of_the_worker_costs_a_tcp_player_nothing(own_site, clients, how: str):
    ann, bob = clients(TcpClient), clients(WebSocketClient)
    queue(ann, f"anna {KEY}")
    bob.send("PLAY bert")
    ann.expect("PLAY bert")
    bob.expect("PLAY anna")
    for player in (ann, bob):
        player.send(f"REDY {BOARD}")
    ann.expect("TURN")
    bob.expect("WAIT")

    worker = worker_of(own_site)
    assert worker is not None
    getattr(worker, how)()
    worker.wait(30)
    assert ann.read() == ""  # closed
    wait_for(lambda: worker_of(own_site) and own_site.healthy(), 60, "the next worker")

    again = clients(TcpClient)
    again.send(f"BACK anna {KEY}")
    again.expect("PLAY bert", "TURN")
    spot = f"{WATER[0] % 10}{WATER[0] // 10}"
    again.send(f"BOM1 {spot}")
    again.expect(f"RES1 {spot}0", "WAIT")
    bob.expect(f"RES1 {spot}0", "TURN")
