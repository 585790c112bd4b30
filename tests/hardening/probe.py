"""An honest match beside an attack: ten moves a second, and how long each acknowledgement takes."""

from __future__ import annotations

import json
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from websockets.exceptions import ConnectionClosed

from tests.deploy.players import Matches, Player

MOVES_PER_SECOND = 10


@dataclass
class Probe:
    """Both players of a `claim` match; the first one claims cells."""

    player: Player
    milliseconds: list[float] = field(default_factory=list)
    lost: bool = False
    _moves: int = 0
    _stopping: threading.Event = field(default_factory=threading.Event)

    def move(self) -> float:
        """One move; the milliseconds until it is acknowledged."""
        number, self._moves = self._moves, self._moves + 1
        action = {"type": "claim", "cell": number}
        begin = time.perf_counter()
        self.player.send(json.dumps({"type": "act", "id": f"p{number}", "action": action}))
        while True:
            for message in json.loads(self.player.recv(60)):
                if message["type"] == "ack" and message["id"] == f"p{number}":
                    return (time.perf_counter() - begin) * 1000

    def play(self) -> None:
        while not self._stopping.is_set():
            begin = time.perf_counter()
            try:
                self.milliseconds.append(self.move())
            except (ConnectionClosed, TimeoutError):
                self.lost = True
                return
            self._stopping.wait(max(0.0, 1 / MOVES_PER_SECOND - (time.perf_counter() - begin)))

    def stop(self) -> None:
        self._stopping.set()

    def percentile(self, share: float = 0.99) -> float:
        ordered = sorted(self.milliseconds)
        return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


@contextmanager
def probing(
    url: str, matches: Matches, match_id: str, trusting: ssl.SSLContext | None = None
) -> Iterator[Probe]:
    """A probe that plays in a thread while the block runs."""
    with (
        matches.join(url, match_id, 0, trusting) as ann,
        matches.join(url, match_id, 1, trusting) as bob,
    ):
        for player in (ann, bob):
            player.send('{"type":"act","id":"ready","action":{"type":"ready"}}')
            while not any(m["type"] == "ack" for m in json.loads(player.recv(60))):
                pass
        probe = Probe(ann)
        drain = threading.Thread(target=_drain, args=(bob,), daemon=True)
        drain.start()
        thread = threading.Thread(target=probe.play, daemon=True)
        thread.start()
        try:
            yield probe
        finally:
            probe.stop()
            thread.join(70)


def _drain(player: Player) -> None:
    try:
        for _message in player:
            pass
    except ConnectionClosed:
        pass
