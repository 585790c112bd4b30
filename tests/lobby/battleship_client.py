"""A Battleship client written from the seed document alone, over either transport."""

from __future__ import annotations

import socket
import time
from collections import deque

from websockets.sync.client import connect

from tests.running_site import RunningSite

BOARD = ("11111000002222000000333000000044400000005500000000").ljust(100, "0")
SHIPS = [i for i, digit in enumerate(BOARD) if digit != "0"]
WATER = [i for i, digit in enumerate(BOARD) if digit == "0"]


class Pace:
    """More than 20 lines a second are refused, and a quick machine plays a match faster than that:
    an honest client waits."""

    MOST = 15

    def __init__(self) -> None:
        self._sent: deque[float] = deque(maxlen=self.MOST)

    def keep(self) -> None:
        if len(self._sent) == self.MOST:
            time.sleep(max(0.0, self._sent[0] + 1 - time.monotonic()))
        self._sent.append(time.monotonic())


class TcpClient:
    """Lines over a socket."""

    def __init__(self, site: RunningSite, end: bytes = b"\n") -> None:
        self._socket = socket.create_connection(("127.0.0.1", site.tcp_port), timeout=20)
        self._file = self._socket.makefile("rb")
        self._end = end
        self._pace = Pace()

    def send_part(self, data: bytes) -> None:
        """Without the end of the line."""
        self._socket.sendall(data)

    def send(self, line: str | bytes) -> None:
        self._pace.keep()
        self.send_part((line.encode() if isinstance(line, str) else line) + self._end)

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
        self._pace = Pace()

    def send(self, line: str | bytes) -> None:
        self._pace.keep()
        self._socket.send(line)

    def read(self) -> str:
        return self._socket.recv(timeout=20)

    def close(self) -> None:
        self._opening.__exit__(None, None, None)


def queue(client: TcpClient, name: str) -> None:
    """Returns when the name is in the queue: the second PLAY is only refused after the first."""
    client.send(f"PLAY {name}")
    client.send(f"PLAY {name}")
    client.error()
