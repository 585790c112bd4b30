"""A full match of Area Attack to measure the engine with: 40x40, four players, seven minutes."""

from __future__ import annotations

from random import Random

from games.engine.area_attack.state import FREE, State
from games.engine.game import Input, Kind, Setup
from games.engine.registry import MODES

MODE = "area-attack"
GAME = MODES[MODE]
# By the clock alone, so that the match lasts its seven minutes.
OPTIONS = {"attack_at_claimed": 1, "lock_at_claimed": 1}
LASTS_MS = 420_000


def record(seed: int, commands: int = 3_000) -> tuple[Setup, list[Input]]:
    """A set-up, and a log of that many commands that players of some skill might give: claims
    at the border of their area, now and then on a mine, and flags and chords beside it."""
    random = Random(seed)
    options = GAME.parse_options(OPTIONS)
    setup = Setup(MODE, GAME.spec.version, random.randbytes(32), 4, options, 0)
    began = options.pick_seconds * 1000
    log = [Input(began, Kind.TICK)]
    state = GAME.start(setup)
    GAME.apply(state, log[0])
    for n in range(commands):
        raw = _command(random, state.game, seat := random.randrange(4))
        entry = Input(began + LASTS_MS * n // commands, Kind.ACTION, seat, GAME.parse_action(raw))
        GAME.apply(state, entry)
        log.append(entry)
    assert GAME.outcome(state) is None, "the match ended before its time"
    return setup, log


def _command(random: Random, game: State, seat: int) -> dict[str, object]:
    owners, neighbours = game.owners, game.grid.neighbours
    border = [
        cell
        for cell in range(game.grid.size)
        if owners[cell] == FREE and any(owners[near] == seat for near in neighbours[cell])
    ]
    mines = [cell for cell in border if game.mines[cell]]
    safe = [cell for cell in border if not game.mines[cell]]
    dice = random.random()
    if safe and dice < 0.5:
        return {"type": "claim", "cell": random.choice(safe)}
    if mines and dice < 0.52:
        return {"type": "claim", "cell": random.choice(mines)}
    if mines and dice < 0.8:
        return {"type": "flag", "cell": random.choice(mines), "on": random.random() < 0.7}
    own = [cell for cell in range(game.grid.size) if owners[cell] == seat]
    return {"type": "chord", "cell": random.choice(own or [0])}
