"""Pairs a round of a Swiss tournament. Pure: the same players and games give the same round.

Players meet others with as many points, the upper half against the lower one. Nobody meets the
same player twice, and nobody has a second bye. Whoever is higher in the standings chooses first,
and may only choose an opponent with whom everybody else can still be paired: `matching` proves it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from lobby.tournaments import matching
from lobby.tournaments.games import Entrant, Game, Result, points


@dataclass(frozen=True, slots=True)
class Round:
    pairs: tuple[tuple[int, int], ...]
    """The higher board first."""
    bye: int | None = None


def pair(
    entrants: Iterable[Entrant],
    games: Collection[Game],
    apart: Collection[frozenset[int]] = (),
) -> Round | None:
    """The next round of these players, who are all present; None when there is none without a
    repetition. `apart` are pairs of users who have blocked each other: they meet only if there is
    no round otherwise."""
    players = _in_order(entrants, games)
    met = {frozenset((game.one, game.two)) for game in games if game.two is not None}
    blocked = _blocked(players, apart) - met
    found = _round(players, games, met | blocked)
    return found if found is not None or not blocked else _round(players, games, met)


def scores(games: Iterable[Game]) -> dict[int, int]:
    """Points so far; players without any are missing."""
    total: dict[int, int] = {}
    for game in games:
        for player in (game.one, game.two):
            if player is not None:
                total[player] = total.get(player, 0) + points(game, player)
    return total


def _in_order(entrants: Iterable[Entrant], games: Collection[Game]) -> list[tuple[Entrant, int]]:
    total = scores(games)
    listed = [(entrant, total.get(entrant.id, 0)) for entrant in entrants]
    return sorted(listed, key=lambda one: (-one[1], -one[0].rating, one[0].id))


def _blocked(
    players: Sequence[tuple[Entrant, int]], apart: Collection[frozenset[int]]
) -> set[frozenset[int]]:
    by_user = {entrant.user: entrant.id for entrant, _points in players if entrant.user}
    return {
        frozenset(by_user[user] for user in pair)
        for pair in apart
        if all(user in by_user for user in pair)
    }


def _round(
    players: list[tuple[Entrant, int]], games: Collection[Game], never: set[frozenset[int]]
) -> Round | None:
    if len(players) < 2:
        return None
    ids = [entrant.id for entrant, _points in players]
    if len(ids) % 2 == 0:
        pairs = _pairs(players, never)
        return None if pairs is None else Round(pairs)
    had = {game.one for game in games if game.result is Result.BYE}
    # A forfeit win was a free point too; a player who had one gets the bye only if nobody else can.
    free = {game.one for game in games if game.result is Result.FORFEIT_ONE}
    free |= {game.two for game in games if game.result is Result.FORFEIT_TWO and game.two}
    candidates = [one for one in reversed(ids) if one not in had]
    for bye in sorted(candidates, key=lambda one: one in free):
        pairs = _pairs([one for one in players if one[0].id != bye], never)
        if pairs is not None:
            return Round(pairs, bye)
    return None


def _pairs(
    players: list[tuple[Entrant, int]], never: set[frozenset[int]]
) -> tuple[tuple[int, int], ...] | None:
    ids = [entrant.id for entrant, _points in players]
    score = {entrant.id: points for entrant, points in players}
    met: dict[int, set[int]] = {one: set() for one in ids}
    for one, other in (tuple(pair) for pair in never if len(pair) == 2):
        if one in met and other in met:
            met[one].add(other)
            met[other].add(one)

    def allowed(one: int, other: int) -> bool:
        return other not in met[one]

    mate: dict[int, int] = {}
    # The usual round first, so that hardly anything has to be repaired.
    for one in ids:
        if one not in mate:
            rest = [other for other in ids if other not in mate and other != one]
            near = next((each for each in _wishes(one, rest, score) if allowed(one, each)), None)
            if near is not None:
                mate[one], mate[near] = near, one
    if not matching.complete(mate, ids, allowed):
        return None
    return tuple(_choose(ids, score, mate, allowed))


def _choose(
    ids: list[int], score: dict[int, int], mate: dict[int, int], allowed: matching.Allowed
) -> Iterable[tuple[int, int]]:
    """From the top: each takes the best opponent with whom all others can still be paired."""
    left = list(ids)
    while left:
        one = left[0]
        rest = left[1:]
        for other in _wishes(one, rest, score):
            if not allowed(one, other):
                continue
            changed = _with_pair(mate, one, other, left, allowed)
            if changed is not None:
                mate = changed
                break
        other = mate.pop(one)
        del mate[other]
        left = [each for each in rest if each != other]
        yield one, other


def _with_pair(
    mate: dict[int, int], one: int, other: int, left: list[int], allowed: matching.Allowed
) -> dict[int, int] | None:
    """A perfect matching of those left that contains this pair, or None."""
    if mate[one] == other:
        return mate
    third, fourth = mate[one], mate[other]
    rest = [each for each in left if each not in (one, other)]
    changed = {a: b for a, b in mate.items() if a not in (one, other, third, fourth)}
    if allowed(third, fourth):
        changed[third], changed[fourth] = fourth, third
    elif not matching.augment(changed, third, rest, allowed):
        return None
    changed[one], changed[other] = other, one
    return changed


def _wishes(one: int, rest: Sequence[int], score: dict[int, int]) -> Iterator[int]:
    """Opponents by preference: those of the same score from the lower half on, then those with
    fewer points. `rest` stands below `one`, in order."""
    size = next(
        (at for at, other in enumerate(rest) if score[other] != score[one]),
        len(rest),
    )
    ideal = size // 2
    for far in range(size + 1):
        if ideal + far < size:
            yield rest[ideal + far]
        if far and 0 <= ideal - far < size:
            yield rest[ideal - far]
    yield from rest[size:]
