"""Pairs the waiting players of an arena by standing, and counts its points. Pure.

A win is worth 2 points, a draw 1. After two wins in a row a player is on a streak: points count
double until the first game that isn't won.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from lobby.tournaments.games import WIN, Game, points

STREAK: Final = 2
"""Wins in a row after which points count double."""
NEAR: Final = 8
"""Players meet others so many waiting places away at once; farther ones after some waiting."""
WIDER_EVERY_MS: Final = 1_000
"""With each such time of waiting, one place farther."""


@dataclass(frozen=True, slots=True)
class Waiting:
    """A player who is free, present and not paused."""

    id: int
    rank: int
    since: int
    """Milliseconds: when the player became free."""
    last: int | None = None
    """The opponent of the game before."""
    user: int = 0


@dataclass(frozen=True, slots=True)
class Sheet:
    """What an arena has brought one player so far."""

    points: tuple[int, ...] = ()
    """Of each game, the first one first."""
    wins: int = 0
    row: int = 0
    """Wins in a row up to now."""

    @property
    def total(self) -> int:
        return sum(self.points)

    @property
    def is_on_streak(self) -> bool:
        return self.row >= STREAK

    def after(self, plain: int) -> Sheet:
        """The sheet after a game that is worth so many points before any doubling."""
        counted = plain * (2 if self.is_on_streak else 1)
        won = plain == WIN
        return Sheet((*self.points, counted), self.wins + won, self.row + 1 if won else 0)


def sheets(games: Iterable[Game]) -> dict[int, Sheet]:
    """The sheet of every player who has played, from the games in any order. A game in which
    nobody showed up, or that has no result, doesn't count for anybody."""
    found: dict[int, Sheet] = {}
    counting = [game for game in games if game.was_played and game.two is not None]
    for game in sorted(counting, key=lambda each: (each.ended, each.number, each.one)):
        for player in (game.one, game.two):
            if player is not None:
                found[player] = found.get(player, Sheet()).after(points(game, player))
    return found


def pair(
    waiting: Iterable[Waiting],
    now: int,
    *,
    apart: Collection[frozenset[int]] = (),
    may_repeat: bool = False,
) -> list[tuple[int, int]]:
    """Pairs of players near each other in the standings, from the top. Nobody meets the opponent
    of the game before, unless `may_repeat`: an arena of two has nobody else. The others wait."""
    # With an odd number somebody waits: the one who came last, the lowest of those.
    players = sorted(waiting, key=lambda one: (one.rank, one.id))
    left = _leave_one(players) if len(players) % 2 else players
    keep_apart = set(apart)
    pairs = []
    while left:
        one = left[0]
        reach = NEAR + max(0, now - one.since) // WIDER_EVERY_MS
        at = _opponent(left, reach, now, keep_apart, may_repeat)
        if at is not None:
            pairs.append((one.id, left[at].id))
            del left[at]
        del left[0]
    return pairs


def _leave_one(players: Sequence[Waiting]) -> list[Waiting]:
    latest = max(range(len(players)), key=lambda at: (players[at].since, at))
    return [one for at, one in enumerate(players) if at != latest]


def _opponent(
    left: Sequence[Waiting],
    reach: int,
    now: int,
    apart: set[frozenset[int]],
    may_repeat: bool,
) -> int | None:
    """The place in `left` of the nearest player whom the first one may meet."""
    one = left[0]
    for at in range(1, len(left)):
        other = left[at]
        if other.rank - one.rank > max(reach, NEAR + max(0, now - other.since) // WIDER_EVERY_MS):
            continue
        if not may_repeat and (one.last == other.id or other.last == one.id):
            continue
        if one.user and other.user and frozenset((one.user, other.user)) in apart:
            continue
        return at
    return None


def last_opponents(games: Iterable[Game]) -> dict[int, int]:
    """The opponent of each player's latest game, by the number of the wave."""
    found: dict[int, int] = {}
    for game in sorted(games, key=lambda each: each.number):
        if game.two is not None:
            found[game.one], found[game.two] = game.two, game.one
    return found
