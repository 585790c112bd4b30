"""Decides who plays whom: a pure function of the waiting tickets and the time.

The oldest ticket comes first: for its first wish that can be granted, it takes the oldest others
that fit. Two tickets fit when they belong to different players, neither player has blocked the
other, and each rating is within the other's window, which widens with the wait until it is open to
everybody. The same tickets always give the same groups, in any order of arrival.

A wave costs what its matches cost: `lobby.lines` finds the tickets that have anybody within their
window, and only those are looked at.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import inf

from lobby.lines import Line
from lobby.tickets import ANY, Ticket, Wish

CANDIDATES = 24
"""The number of tickets fitting the oldest one that are tried together. It bounds the search where
most candidates don't fit each other."""


@dataclass(frozen=True, slots=True)
class Config:
    sizes: Mapping[str, tuple[int, int]]
    """Fewest and most seats of each mode."""
    window: float = 150.0
    widen_per_second: float = 15.0
    open_after_ms: int = 45_000
    patience_ms: int = 5_000
    """Milliseconds that "any size" waits for each seat that the largest size has more."""
    bots_after_ms: int = 20_000
    without_bots: Collection[str] = frozenset()
    """The modes that no house bot plays."""

    def bot_wish(self, ticket: Ticket) -> Wish | None:
        """The first wish of this ticket that a house bot could fulfil."""
        wishes = (wish for wish in self.wishes_of(ticket) if wish.mode not in self.without_bots)
        return next(wishes, None)

    def wishes_of(self, ticket: Ticket) -> list[Wish]:
        """The wishes of this ticket for modes that are still installed."""
        return [wish for wish in ticket.wishes if wish.mode in self.sizes]


@dataclass(frozen=True, slots=True)
class Group:
    """A match to be made. The tickets are in the order in which they queued."""

    mode: str
    size: int
    rated: bool
    preset: str
    tickets: tuple[Ticket, ...]
    bots: int = 0


Blocked = Collection[frozenset[int]]
"""Pairs of user ids that are kept apart."""


def pair(
    tickets: Iterable[Ticket], now: int, config: Config, blocked: Blocked = frozenset()
) -> list[Group]:
    """Return disjoint groups; each member has a wish for its group. Groups with bots come last."""
    wave = _Wave(sorted(tickets, key=_age), now, config, blocked)
    return [*wave.of_players(), *wave.with_bots()]


def offers(tickets: Iterable[Ticket], now: int, config: Config) -> list[Ticket]:
    """Return the tickets that have waited long enough to be asked whether a bot may join."""
    return [
        ticket
        for ticket in tickets
        if ticket.bots == "ask"
        and now - ticket.queued_at >= config.bots_after_ms
        and config.bot_wish(ticket) is not None
    ]


def window(ticket: Ticket, now: int, config: Config) -> float:
    """The distance from its own rating at which this ticket looks, at this time."""
    waited = now - ticket.queued_at
    if waited >= config.open_after_ms:
        return inf
    return config.window + config.widen_per_second * max(0, waited) / 1000


def fit(a: Ticket, b: Ticket, mode: str, now: int, config: Config, blocked: Blocked) -> bool:
    """May these two be in one match of this mode, at this time?"""
    if a.player.identity == b.player.identity:
        return False
    one, other = a.player.user_id, b.player.user_id
    if one is not None and other is not None and frozenset((one, other)) in blocked:
        return False
    apart = abs(a.player.rating(mode) - b.player.rating(mode))
    return apart <= min(window(a, now, config), window(b, now, config))


def _age(ticket: Ticket) -> tuple[int, str]:
    return ticket.queued_at, ticket.id


Game = tuple[str, bool, str]


class _Wave:
    """One run. A ticket is known by its rank: 0 has waited longest."""

    def __init__(
        self, tickets: Sequence[Ticket], now: int, config: Config, blocked: Blocked
    ) -> None:
        self.now, self.config, self.blocked = now, config, blocked
        self.tickets = tickets
        self.windows = [window(ticket, now, config) for ticket in tickets]
        self.free = set(range(len(tickets)))
        self.lines: dict[tuple[Game, int], Line] = {}
        """Tickets by the game and size that they accept; `ANY` holds those of every size."""
        self._lines_of: list[list[Line]] = [[] for _ in tickets]
        self._queue_up()

    def _queue_up(self) -> None:
        accepted = {
            mode: (ANY, *range(fewest, most + 1))
            for mode, (fewest, most) in self.config.sizes.items()
        }
        for rank, ticket in enumerate(self.tickets):
            for wish in self.config.wishes_of(ticket):
                game, rating = wish.game, ticket.player.rating(wish.mode)
                for size in accepted[wish.mode] if wish.size == ANY else (wish.size,):
                    line = self.lines.get((game, size))
                    if line is None:
                        line = self.lines[game, size] = Line(self.config.window)
                    line.add(rank, rating)
                    self._lines_of[rank].append(line)

    def of_players(self) -> Iterator[Group]:
        hopeful: set[int] = set()
        for line in self.lines.values():
            hopeful |= line.hopeful(self.windows)
        for rank in sorted(hopeful):
            if rank in self.free:
                group = self._group_for(rank)
                if group is not None:
                    yield group

    def with_bots(self) -> Iterator[Group]:
        # First the players who want a bot now: "nobody else waits" then looks at the players left.
        for kind in ("now", "later"):
            for rank, ticket in enumerate(self.tickets):
                if ticket.bots == kind and rank in self.free:
                    wish = self.config.bot_wish(ticket)
                    if wish is not None and self._bots_welcome(ticket):
                        yield self._filled(rank, wish)

    def _take(self, wish: Wish, size: int, ranks: list[int], bots: int = 0) -> Group:
        for rank in ranks:
            self.free.discard(rank)
            for line in self._lines_of[rank]:
                line.remove(rank)
        return Group(
            mode=wish.mode,
            size=size,
            rated=wish.rated and not bots,
            preset=wish.preset,
            tickets=tuple(self.tickets[rank] for rank in sorted(ranks)),
            bots=bots,
        )

    def _group_for(self, first: int) -> Group | None:
        for wish in self.config.wishes_of(self.tickets[first]):
            for size in self._sizes(self.tickets[first], wish):
                candidates = self._candidates(first, wish, size)
                members = self._complete([first], candidates, size, wish.mode)
                if members is not None:
                    return self._take(wish, size, members)
        return None

    def _sizes(self, first: Ticket, wish: Wish) -> Iterator[int]:
        """The sizes to try for a wish, the largest first."""
        fewest, most = self.config.sizes[wish.mode]
        if wish.size != ANY:
            yield wish.size
            return
        # A player who would take a bot now would rather play with people now.
        patience = 0 if first.bots == "now" else self.config.patience_ms
        for size in range(most, fewest - 1, -1):
            if self.now - first.queued_at >= (most - size) * patience:
                yield size

    def _candidates(self, first: int, wish: Wish, size: int) -> list[int]:
        # For two the first that fits is the one; larger groups must fit each other, too.
        enough = 1 if size == 2 else CANDIDATES
        line = self.lines[wish.game, size]
        rating = self.tickets[first].player.rating(wish.mode)
        near = line.near(rating, self.windows[first])
        return list(islice((rank for rank in near if self._fit(first, rank, wish.mode)), enough))

    def _complete(
        self, members: list[int], candidates: list[int], size: int, mode: str
    ) -> list[int] | None:
        """The first way, in order of age, to fill the group with candidates who all fit."""
        if len(members) == size:
            return members
        for index, rank in enumerate(candidates):
            if len(members) + len(candidates) - index < size:
                return None
            # All candidates fit the first member already.
            if all(self._fit(rank, other, mode) for other in members[1:]):
                rest = self._complete([*members, rank], candidates[index + 1 :], size, mode)
                if rest is not None:
                    return rest
        return None

    def _fit(self, a: int, b: int, mode: str) -> bool:
        return fit(self.tickets[a], self.tickets[b], mode, self.now, self.config, self.blocked)

    def _bots_welcome(self, ticket: Ticket) -> bool:
        if ticket.bots == "now":
            return True
        if self.now - ticket.queued_at < self.config.bots_after_ms:
            return False
        games = {wish.game for wish in ticket.wishes}
        return not any(
            self.tickets[rank].player.identity != ticket.player.identity
            for (game, _size), line in self.lines.items()
            if game in games
            for rank in line.ratings
        )

    def _filled(self, first: int, wish: Wish) -> Group:
        """A group with everybody who fits and accepts bots; bots take the other seats."""
        fewest, most = self.config.sizes[wish.mode]
        members = [first]
        for rank in self._candidates(first, wish, wish.size):
            fits = all(self._fit(rank, other, wish.mode) for other in members[1:])
            accepts = self.tickets[rank].bots == "now"
            if fits and accepts and len(members) + 1 < (wish.size or most):
                members.append(rank)
        size = wish.size or max(fewest, len(members) + 1)
        return self._take(wish, size, members, bots=size - len(members))
