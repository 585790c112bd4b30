"""Whole Battleship sessions against the running site, by a client written from the seed alone."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import pytest

from .battleship_client import BOARD, SHIPS, WATER, TcpClient, WebSocketClient, queue

pytestmark = pytest.mark.site


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
    queue(anna, "anna")  # who queued first attacks first
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
    for line in ("HELO", "PLAY", "PLAY " + "x" * 21, "REDY 0", "BOM1 00", "SURR", "AGAN,1", ""):
        anna.send(line)
        anna.error()
    queue(anna, "anna")
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
    assert "already bombed" in anna.error()  # the turn stays
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


def test_a_line_without_end_is_closed(clients):
    client = clients()
    with contextlib.suppress(ConnectionError):
        for _ in range(100):
            client.send_part(b"x" * 4096)
        client.error()
        assert client.read() == ""


def test_a_flood_of_lines_gets_erro_and_then_a_close(clients):
    client = clients()
    client.send("\n".join(["HELO"] * 500))
    lines = []
    while line := client.read():
        lines.append(line)
    assert all(line.startswith("ERRO ") for line in lines)
    assert len(lines) < 100
