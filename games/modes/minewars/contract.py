"""MineWars, for the contract suite."""

from __future__ import annotations

from random import Random
from typing import Any

from games.modes.minewars.rules import ground, sight, views
from games.modes.minewars.rules.groups import surrounded
from games.modes.minewars.rules.opening import derive_parts
from games.modes.minewars.rules.roads import find_links
from games.modes.minewars.rules.state import State, is_land
from games.modes.minewars.rules.tiles import (
    FOG,
    FULL,
    IS_CLUSTER,
    ITEMS,
    LIMITED,
    MOUNTAIN,
    STRUCTURES,
    TOWER,
    WATER,
)

WEIGHT = 8
QUIET_MS = 4500


def options(random: Random) -> dict[str, Any]:
    raw: dict[str, Any] = {
        "preset": random.choice(["duel", "classic", "mayhem", "duos"]),
        "radius": random.randint(8, 9),
        "cities": random.randint(2, 4),
        "team_size": random.choice([1, 1, 2, 3]),
        "ban_seconds": random.choice([0, 0, 3]),
        "limit_seconds": random.choice([10, 60, 600]),
        "topology": random.choice(["hex", "hex", "square"]),
        "price_percent": random.choice([10, 10, 100]),
        "mine_percent": random.choice([5, 15, 28]),
        "decoy_percent": random.choice([0, 9]),
        "watch_delay_seconds": random.choice([0, 5, 30]),
    }
    return {key: value for key, value in raw.items() if random.random() < 0.9 or key == "radius"}


# -- play ----------------------------------------------------------------------------------------


def act(random: Random, state: Any, seat: int) -> dict[str, Any] | None:
    game: State = state.game
    if game.began is None or random.random() < 0.01:
        count = random.randint(0, 2)
        cities = random.sample(range(len(game.cities) + (random.random() < 0.1)), count)
        return {"type": "vote", "cities": cities}
    return play(random, game, seat)


def play(random: Random, game: State, seat: int) -> dict[str, Any] | None:
    """Mostly captures next to own land, and everything else now and then."""
    empire = game.empire_of[seat]
    own = [c for c in range(game.topo.size) if game.owner[c] == empire]
    if not own or random.random() < 0.03:
        return _anything(random, game)
    dice = random.random()
    if dice < 0.03:
        return {"type": "capture", "cell": random.choice(own)}
    if dice < 0.05:
        return {"type": "ping", "cell": random.choice(own)}
    if dice < 0.55:
        edge = [
            n
            for c in own
            for n in game.topo.neighbours[c]
            if game.owner[n] != empire and is_land(game, n)
        ]
        safe = [n for n in edge if not game.item[n]]
        pool = safe if safe and random.random() < 0.85 else edge
        return {"type": "capture", "cell": random.choice(pool)} if pool else None
    seen = [c for c in range(game.topo.size) if sight.level(game, empire, c) != FOG]
    if dice < 0.62:
        foreign = [c for c in seen if game.owner[c] != empire and game.near[empire][c]]
        targets = foreign if foreign and random.random() < 0.8 else seen
        return {"type": "strike", "cells": random.sample(targets, min(len(targets), 3))}
    if dice < 0.66:
        limited = [c for c in seen if sight.level(game, empire, c) == LIMITED]
        return {"type": "reveal", "cell": random.choice(limited)} if limited else None
    if dice < 0.70:
        foes = [c for c in seen if game.owner[c] not in (0, empire)]
        return {"type": "smoke", "cell": random.choice(foes or seen)}
    if dice < 0.77:
        return {"type": "deploy", "item": random.choice(ITEMS[1:]), "cell": random.choice(own)}
    if dice < 0.87:
        return _build(random, game, empire, own)
    if dice < 0.90:
        jobs = [c for c in own if c in game.pending] or own
        return {"type": "cancel", "cell": random.choice(jobs)}
    if dice < 0.92:
        built = [c for c in own if c in game.structures] or own
        return {"type": "bulldoze", "cell": random.choice(built)}
    if dice < 0.95:
        return {"type": "harvest", "cell": random.choice(own)}
    on = random.random() < 0.6
    return {"type": "flag", "cell": random.choice(seen), "on": on}


def _build(random: Random, game: State, empire: int, own: list[int]) -> dict[str, Any]:
    name = random.choice(STRUCTURES[1:])
    cells = random.sample(own, min(len(own), random.choice([1, 1, 2, 4])))
    if name == "bridge":
        wet = [n for c in own for n in game.topo.neighbours[c] if game.kind[n] == WATER]
        cells = [random.choice(wet)] if wet else cells
    elif name == "barricade":
        beside = [c for c in own if any(game.kind[n] == MOUNTAIN for n in game.topo.neighbours[c])]
        cells = [random.choice(beside)] if beside else cells
    elif name == "tower":
        cells = cells[:1]
    return {"type": "build", "structure": name, "cells": cells}


def _anything(random: Random, game: State) -> dict[str, Any]:
    cell = random.randrange(-1, game.topo.size + 1)
    return random.choice(
        [
            {"type": "capture", "cell": cell},
            {"type": "strike", "cells": [cell]},
            {"type": "reveal", "cell": cell},
            {"type": "smoke", "cell": cell},
            {"type": "deploy", "item": "mine", "cell": cell},
            {"type": "build", "structure": "tower", "cells": [cell]},
            {"type": "build", "structure": "bridge", "cells": [cell]},
            {"type": "harvest", "cell": cell},
            {"type": "flag", "cell": cell, "on": True},
        ]
    )


# -- what a viewer cannot know -------------------------------------------------------------------


def perturb(random: Random, state: Any, viewer: int | None) -> bool:
    """Everything hidden at once, as far as it is there: items and their kinds, what fog covers
    (kinds, owners, structures, smoke), and what belongs to others alone (money, flags, cooldowns,
    votes). For those who watch, also what is not on air yet."""
    game: State = state.game
    if game.began is None:
        return _other_votes(random, game, viewer, state)
    me = game.viewer(viewer)
    if me and _is_leaving(game, state, me):
        return False  # a player who is out sees the whole map
    towers = any(job.kind == TOWER for city in game.cities for job in city.jobs)
    sieges = any(city.siege for city in game.cities)
    late = not me and game.options.watch_delay_seconds > 0
    orders = any(commander.orders for commander in game.commanders)
    waiting = any(game.hard[c] for c in game.shield)
    if sieges or (not late and (towers or orders or waiting)):
        return False  # what is under way may meet what is changed, and tell of it by the rules
    changed = _others_own(random, game, 0 if viewer is None else game.empire_of[viewer])
    near = set().union(*(game.topo.disc(c, 2) for c in _land_of(game, me)))
    seen = set().union(*(game.topo.disc(c, 4) for c in _land_of(game, me)))
    busy = set().union(*(game.topo.disc(c, 2) for c in game.shield))
    hidden = [
        c
        for c in range(game.topo.size)
        if is_land(game, c)
        and c not in near
        and c not in busy
        and c not in game.beside_city
        and sight.level(game, me, c) != FULL
    ]
    # A structure of others is seen when it is finished, and their land in fog pays for it: by the
    # rules the moment tells of their earnings.
    earning = any(city.jobs for city in game.cities)
    fog = [
        c
        for c in hidden
        if me and not earning and c not in seen and sight.level(game, me, c) == FOG
    ]
    changed = _other_items(random, game, hidden) or changed
    changed = _other_ground(random, game, fog) or changed
    if fog and _next_census(game) - state.now > QUIET_MS:
        _more_land(random, game, me, fog)
    derive_parts(game)
    for empire in range(1, len(game.empires)):
        if empire != me:
            game.empires[empire].links = find_links(game, empire)
    if late:
        _late_news(random, game, state.now)
    return changed and not _is_impossible(game)


def _is_leaving(game: State, state: Any, empire: int) -> bool:
    """A commander of this empire is away, and will soon be out."""
    return any(
        game.empire_of[i] == empire
        and seat.deadline is not None
        and seat.deadline - state.now <= QUIET_MS
        for i, seat in enumerate(state.seats)
    )


def _next_census(game: State) -> int:
    return min((at for at, _, what, _ in game.timers if what == "census"), default=0)


def _more_land(random: Random, game: State, me: int, fog: list[int]) -> None:
    """Another empire has taken land in fog since the last census."""
    others = [e for e in game.alive() if e != me]
    free = [
        c
        for c in fog
        if not game.owner[c] and not any(game.hard[n] for n in (c, *game.topo.neighbours[c]))
    ]
    if others and free:
        game.owner[random.choice(free)] = random.choice(others)


def _late_news(random: Random, game: State, now: int) -> None:
    """Land changed hands or was destroyed this very moment: not on air before the delay is over."""
    game.now = now
    land = [
        c
        for c in range(game.topo.size)
        if is_land(game, c)
        and c not in game.beside_city
        and c not in game.structures
        and c not in game.pending
    ]
    for cell in random.sample(land, min(len(land), 8)):
        if random.random() < 0.5:
            ground.set_kind(game, cell, random.choice([1, 2, 3]))
        else:
            ground.set_owner(game, cell, random.choice([0, *game.alive()]))
    views.flush(game)


def _is_impossible(game: State) -> bool:
    """A group is surrounded but was not taken: no match comes to that."""
    return any(
        game.owner[n] != empire and game.hard[n] and surrounded(game, empire, n)
        for empire in game.alive()
        for cell in _land_of(game, empire)
        for n in game.topo.neighbours[cell]
    )


def _land_of(game: State, empire: int) -> list[int]:
    return [c for c in range(game.topo.size) if empire and game.owner[c] == empire]


def _other_votes(random: Random, game: State, viewer: int | None, state: Any) -> bool:
    if state.setup_ends is None or state.setup_ends - state.now < 1000:
        return False
    others = [c for seat, c in enumerate(game.commanders) if seat != viewer]
    one = random.choice(others)
    before = one.votes
    one.votes = tuple(random.sample(range(len(game.cities)), random.randint(0, 2)))
    return one.votes != before


def _others_own(random: Random, game: State, me: int) -> bool:
    changed = False
    for city in game.cities:
        if game.owner[city.cell] not in (0, me):
            city.bank += random.choice([1000, 777_000])
            changed = True
    for seat, empire in enumerate(game.empire_of):
        if empire != me:
            game.commanders[seat].ready["strike"] = random.randrange(10**6)
            game.empires[empire].flags.symmetric_difference_update(
                random.sample(range(game.topo.size), 3)
            )
            changed = True
    return changed


def _other_items(random: Random, game: State, hidden: list[int]) -> bool:
    """Other kinds of items; and single items more or less, where they join no group."""
    changed = False
    for cell in random.sample(hidden, min(len(hidden), 12)):
        lonely = not any(game.hard[n] for n in game.topo.neighbours[cell])
        standing = cell in game.structures or cell in game.pending
        if game.item[cell] and not lonely:
            game.item[cell] = random.randint(1, 3)
            changed = True
        elif lonely and not standing and not _counted(game, cell):
            game.item[cell] = random.randint(0, 3)
            changed = True
        ground.measure_hard(game, cell)
    return changed


def _counted(game: State, cell: int) -> bool:
    """Beside land that somebody owns an item more or less could set off a capture."""
    return any(game.owner[n] for n in (cell, *game.topo.neighbours[cell]))


def _other_ground(random: Random, game: State, fog: list[int]) -> bool:
    plain = [
        c
        for c in fog
        if c not in game.structures
        and c not in game.pending
        and c not in game.shield
        and not any(IS_CLUSTER[game.kind[n]] for n in game.topo.neighbours[c])
    ]
    for cell in random.sample(plain, min(len(plain), 4)):
        game.kind[cell] = random.choice([1, 2, 3])
        if game.owner[cell] and random.random() < 0.5:
            game.smoke[cell] = 10**9
    for cell in plain:
        for other in plain:
            if game.owner[cell] != game.owner[other] and not game.item[cell] | game.item[other]:
                mine, theirs = game.owner[cell], game.owner[other]
                game.owner[cell], game.owner[other] = theirs, mine
                return True
    return bool(plain)


def quiet(random: Random, state: Any, viewer: int | None) -> list[dict[str, Any]]:
    """The viewer's own deeds on and beside its land, others' secret ones far from it, and time:
    less than QUIET_MS. Before the eyes of those who watch late, anything."""
    game: State = state.game
    if game.began is None:
        votes = {"type": "vote", "cities": [0]}
        return [{"k": "action", "s": 0, "d": votes}]
    entries: list[dict[str, Any]] = []
    me = game.viewer(viewer)
    for seat, empire in enumerate(game.empire_of):
        if game.empires[empire].out is not None:
            continue
        for action in _own_deeds(random, game, empire) if seat == viewer else ():
            entries.append({"k": "action", "s": seat, "d": action, "wait": random.randint(0, 99)})
        if empire != me:
            for action in _far_deeds(random, game, me, empire):
                entries.append({"k": "action", "s": seat, "d": action})
            if not me and game.options.watch_delay_seconds and (any_ := play(random, game, seat)):
                entries.append({"k": "action", "s": seat, "d": any_, "wait": 99})
    entries.append({"k": "tick", "wait": random.randint(0, 3000)})
    return entries


def _own_deeds(random: Random, game: State, empire: int) -> list[dict[str, Any]]:
    own = _land_of(game, empire)
    edge = {n for c in own for n in game.topo.neighbours[c]} - set(own)
    deeds: list[dict[str, Any]] = [{"type": "flag", "cell": random.choice(own), "on": True}]
    still = [c for c in sorted(edge) if is_land(game, c) and _opens_nothing(game, empire, c)]
    single = [c for c in still if game.item[c] not in (1, 3) and not game.owner[c]]
    if single:
        deeds.append({"type": "capture", "cell": random.choice(single)})
    bare = [c for c in still if not game.hard[c]]
    if bare:
        deeds.append({"type": "strike", "cells": [random.choice(bare)]})
    deeds += [
        {"type": "deploy", "item": "decoy", "cell": random.choice(own)},
        {"type": "harvest", "cell": random.choice(own)},
        {"type": "build", "structure": "road", "cells": [random.choice(own)]},
        {"type": "smoke", "cell": random.randrange(game.topo.size)},
        {"type": "reveal", "cell": game.topo.size},
    ]
    # Two steps away is near once the capture above has taken effect, and shows what lies beyond.
    near = set().union(*(game.topo.disc(c, 2) for c in own))
    far = [c for c in range(game.topo.size) if c not in near and game.owner[c] != empire]
    if far:  # refused for its distance, whatever is there
        deeds.append({"type": "capture", "cell": random.choice(far)})
    return random.sample(deeds, random.randint(1, len(deeds)))


def _opens_nothing(game: State, empire: int, cell: int) -> bool:
    """A capture or strike here goes no further by itself: all own digits around have an item
    elsewhere, and no group would be surrounded."""
    owner, neighbours = game.owner, game.topo.neighbours
    before, owner[cell] = owner[cell], empire
    around = (cell, *neighbours[cell])
    counted = all(
        any(game.item[m] and owner[m] != empire for m in neighbours[n])
        for n in around
        if owner[n] == empire
    )
    groups = any(
        game.hard[n] and owner[n] != empire and surrounded(game, empire, n) for n in around
    )
    owner[cell] = before
    return counted and not groups


def _far_deeds(random: Random, game: State, me: int, empire: int) -> list[dict[str, Any]]:
    watched = set().union(*(game.topo.disc(c, 6) for c in _land_of(game, me)))
    far = [
        c
        for c in _land_of(game, empire)
        if c not in watched and sight.level(game, me, c) == FOG and c not in game.beside_city
    ]
    deeds: list[dict[str, Any]] = [{"type": "flag", "cell": 0, "on": True}]
    if far:
        cell = random.choice(far)
        deeds += [
            {"type": "deploy", "item": "decoy", "cell": cell},
            {"type": "build", "structure": "road", "cells": [cell]},
        ]
    return random.sample(deeds, 1)
