"""Random matches of any mode, checked at every step, and the text form of their logs.

A log is lines of JSON: first the set-up, then one entry per line with the live log's field names:
`t` time in ms, `k` kind, `s` seat, `d` data (the raw action; `{"ms"}`; `{"reason"}`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from random import Random
from typing import Any

from games.contract import mode_module
from games.engine.errors import CODES as ERRORS
from games.engine.errors import IllegalAction
from games.engine.game import Addressed, Game, Input, Kind, Setup, Viewer
from games.engine.registry import game as game_of

Entry = dict[str, Any]


def encode(value: Any) -> bytes:
    """The bytes a client would get. Fails on what is not JSON, NaN included."""
    return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()


def setup_of(raw: Entry) -> Setup:
    return Setup(
        mode=raw["mode"],
        version=raw["version"],
        seed=bytes.fromhex(raw["seed"]),
        seats=raw["seats"],
        options=game_of(raw["mode"]).parse_options(raw["options"]),
        at=raw["t"],
        deal=bytes.fromhex(raw["deal"]),
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
    def open(cls, setup: Entry) -> Replay:
        game = game_of(setup["mode"])
        state = game.start(setup_of(setup))
        return cls(game, state, {viewer: [] for viewer in (None, *range(setup["seats"]))})

    def apply(self, entry: Entry) -> dict[Viewer, list[bytes]]:
        """What each viewer gets for this entry, as bytes."""
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


@dataclass
class Played:
    setup: Entry
    entries: list[Entry] = field(default_factory=list)
    table: Replay = field(init=False)


def new_setup(name: str, random: Random) -> Entry:
    game, module = game_of(name), mode_module(name)
    spec = game.spec
    options = game.parse_options(module.options(random))
    deal = module.deal(random, options) if hasattr(module, "deal") else b""
    return {
        "t": random.randrange(10**12, 2 * 10**12),
        "mode": name,
        "version": spec.version,
        "seed": random.randbytes(32).hex(),
        "deal": deal.hex(),
        "seats": random.randint(spec.min_seats, spec.max_seats),
        "options": json.loads(encode(asdict(options))),
    }


def random_entries(table: Replay, setup: Entry, random: Random, steps: int) -> Iterator[Entry]:
    """Entries as a live match might get them, made up while the match is being played."""
    game, module, seats = table.game, mode_module(setup["mode"]), range(setup["seats"])
    t = setup["t"]
    for step in range(steps):
        due = game.due(table.state)
        dice = random.random()
        if due is not None and dice < 0.06:
            t = max(t, due + random.choice([-1, 0, 1]))
        elif dice < 0.08 or (step == steps - 1 and dice < 0.6):
            t += random.choice([10_000, 40_000, 700_000, 4_000_000])
        else:
            t += random.randint(0, 1500)
        yield {"t": t, **_random_entry(table, module, random, random.choice(seats))}


def _random_entry(table: Replay, module: Any, random: Random, seat: int) -> Entry:
    dice = random.random()
    state = table.state
    if dice < 0.03:
        return {"k": "tick"}
    if dice < 0.10:
        away = not state.seats[seat].connected
        kind = "return" if away and random.random() < 0.6 else random.choice(["drop", "leave"])
        return {"k": kind, "s": seat}
    if dice < 0.11:
        return {"k": "outage", "d": {"ms": random.choice([500, 20_000, 90_000])}}
    if dice < 0.112:
        return {"k": "abort", "d": {"reason": "test"}}
    action: Any
    if dice < 0.117:
        action = {"type": "surrender"}
    elif dice < 0.14 or (dice < 0.5 and any(s.claimable for s in state.seats)):
        action = {"type": "claim_win"}
    elif dice < 0.15 or (state.phase == "setup" and dice < 0.6):
        action = {"type": "ready"}
    else:
        action = module.act(random, state, seat)
    if action is None or (action["type"] == "ready" and not table.game.spec.ready_check):
        action = module.act(random, state, seat)
    return {"k": "tick"} if action is None else {"k": "action", "s": seat, "d": action}


def play(
    name: str, seed: object, steps: int, at_step: Callable[[Replay, Random], None] | None = None
) -> Played:
    """Play a random match and check at every step that what clients fold is what they would be
    shown, and that what is refused changes nothing."""
    random = Random(f"{name} {seed}")
    played = Played(new_setup(name, random))
    played.table = table = Replay.open(played.setup)
    game = table.game
    folded = {viewer: game.view(table.state, viewer) for viewer in table.streams}
    after_end = 0
    for entry in random_entries(table, played.setup, random, steps):
        played.entries.append(entry)
        batch = _checked(table, entry, random)
        for viewer, events in batch.items():
            for event in events:
                folded[viewer] = game.fold(folded[viewer], json.loads(event))
        for viewer, view in folded.items():
            assert view == game.view(table.state, viewer), f"folded view of {viewer} differs"
        if at_step is not None:
            at_step(table, random)
        if game.outcome(table.state) is not None:
            after_end += 1
            if after_end == 3:
                break
    return played


def _checked(table: Replay, entry: Entry, random: Random) -> dict[Viewer, list[bytes]]:
    if entry["k"] != "action":
        return table.apply(entry)
    # First the time, alone: what is left to the action is then only its own.
    batch = table.apply({"t": entry["t"], "k": "tick"})
    game, state, seat = table.game, table.state, entry["s"]
    before = game.dump(state) if random.random() < 0.3 else None
    try:
        game.check(state, seat, game.parse_action(entry["d"]))
        refusal = None
    except IllegalAction as error:
        refusal = encode({"type": "refused", "code": error.code, "text": error.text})
        refused_with = error.code
    acted = table.apply(entry)
    if refusal is not None:
        assert refused_with in game.spec.codes or refused_with in ERRORS, refused_with
        assert acted == {seat: [refusal]}
        assert before is None or game.dump(state) == before, "a refused action changed something"
    else:
        assert not any(b'"refused"' in event for events in acted.values() for event in events)
    for viewer, events in acted.items():
        batch.setdefault(viewer, []).extend(events)
    return batch
