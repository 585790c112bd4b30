"""A match from its log, with what every viewer receives, and the text form of logs.

A log is lines of JSON: first the set-up, then one entry per line with the live log's field names:
`t` time in ms, `k` kind, `s` seat, `d` data (the raw action; `{"ms"}`; `{"reason"}`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from games.engine.game import Addressed, Game, Input, Kind, Setup, View, Viewer
from games.engine.registry import game as game_of

from .subject import Entry


def encode(value: Any) -> bytes:
    """The bytes a client would get. Fails on what is not JSON, NaN included."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()


def plain(view: View) -> View:
    """The view as a client has it after it came as JSON."""
    copy: View = json.loads(encode(view))
    return copy


def setup_of(game: Game[Any], raw: Entry) -> Setup:
    return Setup(
        mode=raw["mode"],
        version=raw["version"],
        seed=bytes.fromhex(raw["seed"]),
        seats=raw["seats"],
        options=game.parse_options(raw["options"]),
        at=raw["t"],
        deal=bytes.fromhex(raw["deal"]),
        countdown=raw.get("countdown", 0),
    )


def input_of(game: Game[Any], entry: Entry) -> Input:
    kind, data = Kind(entry["k"]), entry.get("d") or {}
    return Input(
        at=entry["t"],
        kind=kind,
        seat=entry.get("s"),
        action=game.parse_action(data) if kind is Kind.ACTION else None,
        ms=data.get("ms", 0) if kind is Kind.OUTAGE else 0,
        reason=data.get("reason", "") if kind is Kind.ABORT else "",
    )


@dataclass
class Replay:
    """One match, and what every viewer has received of it."""

    game: Game[Any]
    state: Any
    streams: dict[Viewer, list[bytes]]

    @classmethod
    def open(cls, setup: Entry, game: Game[Any] | None = None) -> Replay:
        """At match time 0. The game is found by the set-up's mode unless it is given."""
        game = game or game_of(setup["mode"])
        state = game.start(setup_of(game, setup))
        return cls(game, state, {viewer: [] for viewer in (None, *range(setup["seats"]))})

    def apply(self, entry: Entry) -> dict[Viewer, list[bytes]]:
        """The bytes that each viewer gets for this entry."""
        return self.receive(self.game.apply(self.state, input_of(self.game, entry)))

    def receive(self, out: list[Addressed]) -> dict[Viewer, list[bytes]]:
        batch: dict[Viewer, list[bytes]] = {}
        for addressed in out:
            data = encode(addressed.event)
            for viewer in self.streams:
                if viewer in addressed.to:
                    self.streams[viewer].append(data)
                    batch.setdefault(viewer, []).append(data)
        return batch

    def views(self) -> dict[Viewer, bytes]:
        return {viewer: encode(self.game.view(self.state, viewer)) for viewer in self.streams}

    def digest(self) -> str:
        """Of everything that anybody received, but for the sentences of refusals, and of what
        everybody sees at the end."""
        whole = sha256()
        views = self.views()
        for viewer, stream in self.streams.items():
            told = b"".join(map(_wordless, stream))
            whole.update(encode([viewer, len(stream)]) + told + views[viewer])
        return whole.hexdigest()


def _wordless(event: bytes) -> bytes:
    if not event.startswith(b'{"type":"refused"'):
        return event
    return encode({"refused": json.loads(event)["code"]})
