"""`manage.py up` with several web processes: the players of a match meet in one of them."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from functools import partial
from http.client import HTTPConnection

import psutil
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection

from minesite.affinity import preference
from tests.deploy.players import Matches, make_matches, serving_process, web_processes
from tests.running_site import RunningSite, new_site, wait_for

pytestmark = [pytest.mark.site, pytest.mark.timeout(180)]

PROCESSES = 3


@pytest.fixture(scope="module")
def wide_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningSite]:
    site = new_site(tmp_path_factory.mktemp("wide") / "var", WEB_PROCESSES=str(PROCESSES))
    try:
        site.start()
        wait_for(lambda: len(list((site.data_dir / "web").glob("*.sock"))) == PROCESSES)
        yield site
    finally:
        site.stop()


@pytest.fixture
def matches(wide_site: RunningSite) -> Matches:
    return make_matches(wide_site, 12)


def places(site: RunningSite, matches: Matches, match_id: str) -> list[int]:
    """The processes that serve both players of a match."""
    with matches.join(site.url, match_id, 0) as ann, matches.join(site.url, match_id, 1) as bob:
        return [serving_process(site, ann), serving_process(site, bob)]


def received(player: ClientConnection) -> str | bytes | None:
    """The next message; None when the connection is gone."""
    try:
        return player.recv(10)
    except ConnectionClosed:
        return None


def expected(match_id: str, *without: int) -> list[int]:
    """The processes of both players while these are away."""
    order = preference(match_id.encode(), PROCESSES)
    return [next(number for number in order if number not in without)] * 2


def test_matches_spread_evenly_and_keep_their_order_without_a_process():
    ids = [b"match%07d" % number for number in range(3000)]
    first = [preference(match_id, PROCESSES)[0] for match_id in ids]
    for number in range(1, PROCESSES + 1):
        assert 850 < first.count(number) < 1150
    for match_id in ids[:100]:
        assert sorted(preference(match_id, 4)) == [1, 2, 3, 4]
        assert [n for n in preference(match_id, 4) if n != 4] == preference(match_id, 3)


def test_players_of_a_match_are_served_by_one_process(wide_site: RunningSite, matches: Matches):
    seen = set()
    for match_id in matches.ids:
        assert places(wide_site, matches, match_id) == expected(match_id)
        seen |= set(expected(match_id))
    assert len(seen) > 1


def test_matches_of_a_killed_process_meet_in_another_and_return(
    wide_site: RunningSite, matches: Matches
):
    match_id = matches.ids[0]
    home = expected(match_id)[0]
    victim = web_processes(wide_site)[home]
    assert wide_site.process is not None
    supervisor = psutil.Process(wide_site.process.pid)
    supervisor.suspend()  # so that no successor is there too early
    try:
        with matches.join(wide_site.url, match_id, 0) as ann:
            assert serving_process(wide_site, ann) == home
            victim.kill()
            list(iter(partial(received, ann), None))
        assert places(wide_site, matches, match_id) == expected(match_id, home)
    finally:
        supervisor.resume()
    wait_for(lambda: places(wide_site, matches, match_id) == expected(match_id), 30)
    assert web_processes(wide_site)[home].pid != victim.pid


def test_a_stopped_process_is_passed_over(wide_site: RunningSite, matches: Matches):
    match_id = matches.ids[1]
    home = expected(match_id)[0]
    victim = web_processes(wide_site)[home]
    victim.suspend()
    try:
        assert places(wide_site, matches, match_id) == expected(match_id, home)
    finally:
        victim.resume()
    wait_for(lambda: places(wide_site, matches, match_id) == expected(match_id), 10)


def test_clients_that_send_nothing_or_half_a_request_delay_nobody(
    wide_site: RunningSite, matches: Matches
):
    address = ("127.0.0.1", wide_site.port)
    silent = [socket.create_connection(address) for _ in range(20)]
    try:
        for number, each in enumerate(silent[10:]):
            each.sendall(b"GET /ws/match/" + b"a" * number)
        for match_id in matches.ids[:4]:
            assert places(wide_site, matches, match_id) == expected(match_id)
    finally:
        for each in silent:
            each.close()


def test_clients_that_leave_during_the_hand_over_leave_nothing_open(
    wide_site: RunningSite, matches: Matches
):
    def open_sockets() -> int:
        return sum(len(p.net_connections("all")) for p in web_processes(wide_site).values())

    wait_for(lambda: not players_left(wide_site), what="the end of earlier connections")
    before = open_sockets()
    upgrade = (
        "GET /ws/match/{}/ HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\n"
        "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    for match_id in matches.ids * 10:
        with socket.create_connection(("127.0.0.1", wide_site.port)) as client:
            client.sendall(upgrade.format(match_id).encode())
    wait_for(lambda: open_sockets() <= before, 20, "the end of all connections")


def players_left(site: RunningSite) -> list[psutil.Process]:
    return [
        process
        for process in web_processes(site).values()
        if any(
            c.laddr.port == site.port and c.status == psutil.CONN_ESTABLISHED
            for c in process.net_connections("tcp")
        )
    ]


def test_one_kept_connection_may_ask_for_several_matches(wide_site: RunningSite, matches: Matches):
    http = HTTPConnection("127.0.0.1", wide_site.port, timeout=20)
    try:
        for match_id in matches.ids[:4]:
            http.request("GET", f"/match/{match_id}/")
            answer = http.getresponse()
            assert answer.status == 200
            assert match_id.encode() in answer.read()
    finally:
        http.close()
