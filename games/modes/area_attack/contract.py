"""Area Attack, for the contract suite."""

from __future__ import annotations

from random import Random
from typing import Any

from games.engine.errors import IllegalAction
from games.modes.area_attack.rules.actions import parse_action
from games.modes.area_attack.rules.generation import number
from games.modes.area_attack.rules.rules import AreaAttackRules
from games.modes.area_attack.rules.state import FREE, State

RULES = AreaAttackRules()
SOON = 2_500
"""A frozen viewer's pair of states is compared for less than this many ms."""


def options(random: Random) -> dict[str, Any]:
    raw: dict[str, Any] = {
        "size": random.randint(16, 18),
        "density": random.choice([0.05, 0.1, 0.2, 0.35]),
        "pick_seconds": random.choice([1, 2, 30]),
    }
    if random.random() < 0.8:
        attack, lock = sorted(random.choices([1, 3, 10, 30, 60], k=2))
        raw |= {"attack_at_seconds": attack, "lock_at_seconds": lock}
        raw["lock_seconds"] = random.choice([3, 10, 60])
        raw["freeze_seconds"] = random.choice([1, 5, 10])
        raw["attack_radius"] = random.choice([1, 2, 3])
    if random.random() < 0.4:
        raw["attack_at_claimed"], raw["lock_at_claimed"] = sorted(
            random.choices([0.2, 0.5, 1], k=2)
        )
    if random.random() < 0.3:
        raw["min_start_distance"] = random.choice([0, 4.5, 5])
    return raw


def act(random: Random, state: Any, seat: int) -> dict[str, Any]:
    game, dice = state.game, random.random()
    anywhere = random.randrange(-1, game.grid.size + 1)
    if state.phase == "setup":
        if game.picks[seat] is None or dice < 0.3:
            return {"type": "pick", "cell": anywhere}
        return {"type": "confirm"}
    if dice < 0.05:
        return {"type": random.choice(["claim", "pick", "chord"]), "cell": anywhere}
    if dice < 0.3:
        return flag(random, game)
    if dice < 0.5:
        own = [c for c in range(game.grid.size) if game.owners[c] == seat]
        ready = [c for c in own if allowed(game, seat, {"type": "chord", "cell": c})]
        return {"type": "chord", "cell": random.choice(ready or own or [0])}
    claims = [
        c
        for c in range(game.grid.size)
        if game.owners[c] == FREE and bool(game.mines[c]) == (dice > 0.9)
    ]
    near = [c for c in claims if seat in (game.owners[n] for n in game.grid.neighbours[c])]
    return {"type": "claim", "cell": random.choice(near or claims or [0])}


def flag(random: Random, game: State) -> dict[str, Any]:
    """On a hidden cell, more often on a mine."""
    hidden = [c for c in range(game.grid.size) if game.owners[c] == FREE]
    mines = [c for c in hidden if game.mines[c]]
    cell = random.choice((mines if random.random() < 0.7 else hidden) or [0])
    return {"type": "flag", "cell": cell, "on": random.random() < 0.8}


def allowed(game: State, seat: int, action: dict[str, Any]) -> bool:
    try:
        RULES.check_action(game, seat, parse_action(action), 0, True)
    except IllegalAction:
        return False
    return True


def perturb(random: Random, state: Any, viewer: int | None) -> bool:
    if state.phase == "setup":
        return False
    game = state.game
    before = RULES.dump(game)
    if viewer is None or game.freezes[viewer] is None:
        _change_the_unseen(random, game, viewer)
    else:
        _play_behind_the_back(random, state, viewer)
        lasts = min(game.freezes[viewer].until, game.ends) - state.now > SOON
        if not lasts or game.safe - sum(game.areas) < 40:
            return False
    return bool(RULES.dump(game) != before)


def _change_the_unseen(random: Random, game: State, viewer: int | None) -> None:
    """Other mines where the viewer has no number that tells, and other flags of others."""
    known = {freeze.cell for freeze in game.freezes if freeze is not None}
    free = [
        cell
        for cell in range(game.grid.size)
        if game.owners[cell] == FREE
        and cell not in known
        and (viewer is None or viewer not in (game.owners[n] for n in game.grid.neighbours[cell]))
    ]
    mines = [cell for cell in free if game.mines[cell]]
    safe = [cell for cell in free if not game.mines[cell]]
    swaps = min(len(mines), len(safe), random.randint(1, 6))
    for was, now in zip(random.sample(mines, swaps), random.sample(safe, swaps), strict=True):
        game.mines[was], game.mines[now] = 0, 1
    game.numbers = number(game.grid, game.mines)
    for seat, flags in enumerate(game.flags):
        if seat != viewer and game.freezes[seat] is None and free:
            flags ^= set(random.sample(free, random.randint(0, min(3, len(free)))))


def _play_behind_the_back(random: Random, state: Any, viewer: int) -> None:
    """The others did more while the viewer was frozen: claims, strikes, stages, regenerations."""
    game, now = state.game, state.now
    for _ in range(random.randint(1, 8)):
        seat = random.choice([s for s in range(len(game.areas)) if s != viewer])
        raw = act(random, state, seat)
        if raw["type"] in ("claim", "chord", "flag") and allowed(game, seat, raw):
            RULES.apply_action(game, seat, parse_action(raw), now)


def quiet(random: Random, state: Any, viewer: int | None) -> list[dict[str, Any]]:
    """Unfrozen: others' flags, and what the viewer is refused. Frozen: anything at all, as long as
    the freeze and the match last."""
    game = state.game
    entries: list[dict[str, Any]] = []
    if viewer is not None and game.freezes[viewer] is not None:
        entries += [{"k": "tick", "wait": random.randint(0, 500)} for _ in range(3)]
        for seat in range(len(game.areas)):
            raw = act(random, state, seat)
            zero = (
                raw["type"] == "claim"
                and 0 <= raw["cell"] < game.grid.size
                and not game.numbers[raw["cell"]]
            )
            if seat == viewer or (raw["type"] in ("claim", "flag") and not zero):
                entries.append({"k": "action", "s": seat, "d": raw})
        random.shuffle(entries)
        return entries
    for seat in range(len(game.areas)):
        raw = act(random, state, seat) if seat == viewer else flag(random, game)
        if seat != viewer or not allowed(game, seat, raw):
            entries.append({"k": "action", "s": seat, "d": raw})
    return [*entries, {"k": "tick", "wait": random.choice([0, 400, 5_000])}]
