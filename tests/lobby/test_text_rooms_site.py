"""Whole Area Attack sessions against the running site, by a client written from the seed alone."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Iterator

import pytest
from websockets.sync.client import connect

from tests.running_site import RunningSite, wait_for

pytestmark = pytest.mark.site


class Client:
    def __init__(self, site: RunningSite, stack: contextlib.ExitStack) -> None:
        url = f"ws://127.0.0.1:{site.port}/ws/text/area-attack/"
        self._socket = stack.enter_context(connect(url, max_queue=None))

    def send(self, text: str | bytes) -> None:
        self._socket.send(text)

    def read(self) -> str:
        return self._socket.recv(timeout=20)

    def expect(self, *texts: str) -> None:
        for text in texts:
            assert self.read() == text

    def until(self, end: str) -> list[str]:
        """All messages up to the first that ends so."""
        seen = [self.read()]
        while not seen[-1].endswith(end):
            seen.append(self.read())
        return seen

    def close(self) -> None:
        self._socket.close()


@pytest.fixture
def clients(site) -> Iterator:
    """Makes clients that have given their names."""
    with contextlib.ExitStack() as stack:

        def make(name: str | None = None) -> Client:
            client = Client(site, stack)
            client.expect("Send your name.")
            if name:
                client.send(name)
            return client

        yield make


def room(*players: Client, p: str = "0.20") -> str:
    """A new game with these players in it."""
    name = f"pond-{secrets.token_hex(3)}"
    players[0].send(f"n{name}\narea attack\n16\n{p}")
    for number, player in enumerate(players):
        player.send(f"j{name}")
        player.expect(f"multiplayer minesweeper\n16\n{p}")
        for _ in range(number):
            assert player.read().startswith("0\n0\nj")
        for other in players[:number]:
            assert other.read().startswith("0\n0\nj")
    return name


def games(client: Client) -> list[str]:
    client.send("g")
    return client.read().split("\n")


def unique(name: str) -> str:
    return f"{name}{secrets.token_hex(3)}"


def test_two_clients_play_from_the_room_to_the_end(clients):
    a, b = unique("anna"), unique("bert")
    anna, bert = clients(a), clients(b)
    room(anna, bert, p=".2")
    anna.send("g")  # in a game there are squares only
    anna.expect("0\n0\nmSend a square as x and y, a line each.")
    anna.send("2\n2")
    anna.expect(f"2\n2\no{a}")
    bert.expect(f"2\n2\no{a}")
    anna.send("9\n9")
    anna.expect("0\n0\nmWait for all players to choose a starting square.")
    bert.send("3\n3")
    assert bert.read().startswith("0\n0\nm")  # too close
    bert.send("13\n13")
    bert.expect(f"13\n13\no{b}")
    anna.expect(f"13\n13\no{b}")
    mine = anna.until(f"\no{b}")
    assert "2\n2\nc0" in mine
    assert all(m.split("\n")[2][0] in "com" for m in mine)
    theirs = bert.until("\nc0")
    assert any(m.endswith(f"o{a}") or "\nc" in m for m in theirs)
    anna.send("99\n0")
    assert any("not on the board" in m for m in anna.until("15."))
    anna.send("2\n2")
    anna.expect("2\n2\nc0")  # an own square is told again, without a message
    anna.send("13\n13")
    anna.expect(f"13\n13\no{b}")
    bert.send("\x00")
    final = anna.until("You won: everyone else has left.")
    assert final[-1] == "0\n0\nmYou won: everyone else has left."
    assert anna.read().startswith("0\n0\nmGame over. Your score was ")
    bert.send("g")


def test_names_games_and_rejections(clients):
    a = unique("anna")
    anna, other = clients(a), clients()
    other.send(a)
    other.expect("This name is already in use.")
    other.send("a\nb")
    other.expect("Names cannot contain newlines.")
    other.send(unique("otto"))
    other.send("x")
    assert other.read()
    other.send("nq\nchess\n16\n0.2")
    other.expect("This game type is not supported.")
    other.send("jno such game")
    other.expect("Rejected from game")
    name = unique("game")
    anna.send(f"n{name}\narea attack\n16\n0.2")
    wait_for(lambda: name in games(other))
    other.send(b"binary")
    assert other.read()
    anna.close()

    def back() -> bool:
        again = clients()
        again.send(a)
        again.send("g")  # an accepted name is answered with silence
        answer = again.read()
        if answer == "This name is already in use.":  # its old connection is about to end
            again.close()
            return False
        assert name in answer.split("\n")
        return True

    wait_for(back)


def test_a_full_or_started_game_rejects_and_is_not_listed(clients):
    players = [clients(unique("p")) for _ in range(5)]
    name = room(*players[:4])
    players[4].send(f"j{name}")
    players[4].expect("Rejected from game")
    players[4].send("g")
    assert name not in players[4].read().split("\n")


def test_the_name_of_a_started_game_is_free_again(clients):
    anna, bert, other = (clients(unique("p")) for _ in range(3))
    name = room(anna, bert)
    other.send(f"n{name}\narea attack\n16\n0.2")
    other.expect("This name is already in use.")
    anna.send("2\n2")
    bert.send("13\n13")
    anna.until("c0")
    bert.until("c0")
    other.send(f"j{name}")
    other.expect("Rejected from game")
    bert.send("\x00")
    anna.until("You won: everyone else has left.")
    assert anna.read().startswith("0\n0\nmGame over.")
    anna.send(f"n{name}\narea attack\n16\n0.2")
    anna.send(f"j{name}")
    anna.expect("multiplayer minesweeper\n16\n0.2")
    other.send(f"n{name}\narea attack\n16\n0.2")
    other.expect("This name is already in use.")


def test_fifty_messages_a_second_are_taken_without_complaint(clients):
    anna, bert = clients(unique("anna")), clients(unique("bert"))
    room(anna, bert)
    anna.send("1\n1")
    bert.send("14\n14")
    anna.until("c0")
    for n in range(50):
        anna.send(f"{n % 16}\n{n // 16}")
    seen = []
    for _ in range(20):
        seen.append(anna.read())
    assert not any("slow down" in text for text in seen)


def test_a_client_that_opens_the_neighbours_of_every_zero_itself(clients):
    """As the first web page of this protocol did: over a thousand messages after the first pick."""
    anna, bert = clients(unique("anna")), clients(unique("bert"))
    name = unique("lake")
    anna.send(f"n{name}\narea attack\n60\n0.05")
    for player in (anna, bert):
        player.send(f"j{name}")
        player.expect("multiplayer minesweeper\n60\n0.05")
    anna.send("10\n10")
    bert.send("50\n50")
    asked: set[tuple[int, int]] = set()
    messages: list[str] = []

    def read(end: str) -> bool:
        """Did anything new have to be asked for before this message?"""
        before = len(asked)
        while True:
            text = anna.read()
            x, y, code = text.split("\n", 2)
            if code.startswith("m"):
                messages.append(code)
            if text.endswith(end):
                return len(asked) > before
            if code == "c0":
                around = {(int(x) + i, int(y) + j) for i in (-1, 0, 1) for j in (-1, 0, 1)}
                for a, b in sorted(around - asked - {(int(x), int(y))}):
                    if 0 <= a < 60 and 0 <= b < 60:
                        asked.add((a, b))
                        anna.send(f"{a}\n{b}")

    read("\nc0")
    anna.send("10\n10")
    read("\nc0")
    while True:
        anna.send("99\n99")
        if not read("from 0 to 59."):
            break
    assert len(asked) > 500
    # Nothing but the stages and the answers to the ends of the reading.
    assert not [m for m in messages if not m.startswith(("mThe game", "mStage", "mThat square"))]
