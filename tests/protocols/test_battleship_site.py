"""Whole Battleship sessions against the running site, by a client written from the seed alone."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Iterator

import pytest
from websockets.sync.client import connect

from tests.running_site import RunningSite

pytestmark = pytest.mark.site

BOARD = ("11111000002222000000333000000044400000005500000000").ljust(100, "0")
SHIPS = [i for i, digit in enumerate(BOARD) if digit != "0"]
WATER = [i for i, digit in enumerate(BOARD) if digit == "0"]


class TcpClient:
    """Lines over a socket."""

    def __init__(self, site: RunningSite, end: bytes = b"\n") -> None:
        self._socket = socket.create_connection(("127.0.0.1", site.tcp_port), timeout=20)
        self._file = self._socket.makefile("rb")
        self._end = end

    def send(self, line: str | bytes) -> None:
        self._socket.sendall((line.encode() if isinstance(line, str) else line) + self._end)

    def read(self) -> str:
        return self._file.readline().decode().rstrip("\n")

    def expect(self, *lines: str) -> None:
        for line in lines:
            assert self.read() == line

    def error(self) -> str:
        line = self.read()
        assert line.startswith("ERRO "), line
        return line

    def close(self) -> None:
        self._file.close()
        self._socket.close()


class WebSocketClient(TcpClient):
    """Frames of a WebSocket, from a page of any origin."""

    def __init__(self, site: RunningSite) -> None:
        url = f"ws://127.0.0.1:{site.port}/ws/text/battleship/"
        self._opening = connect(url, origin="https://elsewhere.example")
        self._socket = self._opening.__enter__()

    def send(self, line: str | bytes) -> None:
        self._socket.send(line)

    def read(self) -> str:
        return self._socket.recv(timeout=20)

    def close(self) -> None:
        self._opening.__exit__(None, None, None)


@pytest.fixture
def clients(site) -> Iterator:
    """Makes clients of either transport, and closes them."""
    with contextlib.ExitStack() as stack:

        def make(kind: type[TcpClient] = TcpClient, **options) -> TcpClient:
            client = kind(site, **options)
            stack.callback(client.close)
            return client

        yield make


def matched(clients, one=TcpClient, other=TcpClient) -> tuple[TcpClient, TcpClient]:
    """Two clients in the set-up of a match; the first has queued first."""
    anna, bert = clients(one), clients(other)
    anna.send("PLAY anna")
    time.sleep(0.05)  # who queued first attacks first: let the lines arrive in this order
    bert.send("Play bert")
    anna.expect("PLAY bert")
    bert.expect("PLAY anna")
    return anna, bert


def begun(clients, one=TcpClient, other=TcpClient) -> tuple[TcpClient, TcpClient]:
    anna, bert = matched(clients, one, other)
    anna.send(f"REDY {BOARD}")
    bert.send(f"redy,{BOARD}")
    anna.expect("TURN")
    bert.expect("WAIT")
    return anna, bert


def bomb(attacker: TcpClient, defender: TcpClient, cell: int) -> None:
    attacker.send(f"BOM1 {cell % 10}{cell // 10}")
    result = f"RES1 {cell % 10}{cell // 10}{int(cell in SHIPS)}"
    attacker.expect(result)
    defender.expect(result)


def sink_all(attacker: TcpClient, defender: TcpClient) -> None:
    """Until the attacker, whose turn it is, has sunk everything."""
    for mine, theirs in zip(SHIPS, WATER, strict=False):
        bomb(attacker, defender, mine)
        if mine == SHIPS[-1]:
            return
        attacker.expect("WAIT")
        defender.expect("TURN")
        bomb(defender, attacker, theirs)
        defender.expect("WAIT")
        attacker.expect("TURN")


@pytest.mark.parametrize(
    ("one", "other"),
    [(TcpClient, TcpClient), (WebSocketClient, WebSocketClient), (TcpClient, WebSocketClient)],
)
def test_a_whole_session_with_a_rematch_in_which_the_loser_attacks_first(clients, one, other):
    anna, bert = begun(clients, one, other)
    sink_all(anna, bert)
    anna.expect("WINN")
    bert.expect("LOSE")
    bert.send("AGAN,1")
    anna.send("AGAN 1")
    anna.expect("AGAN,1")
    bert.expect("AGAN,1")
    anna.send(f"REDY {BOARD}")
    bert.send(f"REDY {BOARD}")
    bert.expect("TURN")
    anna.expect("WAIT")
    anna.send("SURR")
    bert.expect("WINN")
    anna.send("AGAN,1")
    anna.error()  # back at the start, nothing more of that match
    anna.send("QUIT")


def test_every_error_leaves_the_state_and_the_connection(clients):
    anna, bert = clients(), clients(end=b"\r\n")
    for line in ("HELO", "PLAY", "PLAY " + "x" * 21, "REDY 0", "BOM1 00", "SURR", "AGAN,1", "x"):
        anna.send(line)
        anna.error()
    anna.send("PLAY anna")
    anna.send("PLAY anna")
    anna.error()
    bert.send("PLAY bert")
    anna.expect("PLAY bert")
    bert.expect("PLAY anna")
    for line in ("REDY " + "1" * 100, "REDY 123", "BOM1 00", "PLAY x"):
        anna.send(line)
        anna.error()
    anna.send(f"REDY {BOARD}")
    anna.send(f"REDY {BOARD}")
    anna.error()
    bert.send(f"REDY {BOARD}")
    anna.expect("TURN")
    bert.expect("WAIT")
    bert.send("BOM1 00")
    bert.error()
    bomb(anna, bert, 0)
    anna.expect("WAIT")
    bert.expect("TURN")
    bomb(bert, anna, 99)
    bert.expect("WAIT")
    anna.expect("TURN")
    anna.send("BOM1 00")
    assert "bombed before" in anna.error()  # the turn stays
    bomb(anna, bert, 1)


def test_the_first_no_settles_it_for_both(clients):
    anna, bert = begun(clients)
    sink_all(anna, bert)
    anna.expect("WINN")
    bert.expect("LOSE")
    bert.send("AGAN,0")
    anna.expect("AGAN,0")
    bert.expect("AGAN,0")
    bert.send("PLAY bert")
    anna.send("PLAY anna")
    anna.expect("PLAY bert")
    bert.expect("PLAY anna")


@pytest.mark.parametrize("make", [matched, begun], ids=["set-up", "battle"])
def test_a_lost_connection_gives_the_other_winn_at_once(clients, make):
    anna, bert = make(clients)
    anna.close()
    bert.expect("WINN")
    bert.send("PLAY bert")
    bert.send("PLAY bert")
    bert.error()


def test_a_connection_lost_after_the_result_is_agan_0(clients):
    anna, bert = begun(clients)
    sink_all(anna, bert)
    anna.expect("WINN")
    bert.expect("LOSE")
    anna.close()
    bert.expect("AGAN,0")


def test_a_name_of_an_account_needs_its_token(site, clients):
    token = site.python(
        "from accounts.models import User; from accounts.tokens import issue;"
        "u = User.objects.create_user('Captain', password='x');"
        "print(issue(u, name='nc', scopes=['play'])[1])"
    ).strip()
    client = clients()
    client.send("PLAY captain")
    assert "account" in client.error()
    client.send("AUTH nonsense")
    client.error()
    client.send(f"AUTH {token}")
    client.send("PLAY captain")
    other = clients()
    other.send("PLAY guest1")
    other.expect("PLAY Captain")
    client.expect("PLAY guest1")


def test_a_binary_frame_gets_erro(clients):
    client = clients(WebSocketClient)
    client.send(b"PLAY anna")
    client.error()


def test_a_line_over_the_limit_gets_one_erro_and_the_connection_stays(clients):
    client = clients()
    client.send("x" * 5000)
    client.error()
    client.send("HELO")
    client.error()


def test_a_flood_of_lines_gets_erro_and_then_a_close(clients):
    client = clients()
    client.send("\n".join(["HELO"] * 500))
    lines = []
    while line := client.read():
        lines.append(line)
    assert all(line.startswith("ERRO ") for line in lines)
    assert len(lines) < 100
