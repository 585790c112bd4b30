"""Who plays whom: a pure function of the waiting tickets and the time.

Oldest first: each ticket, from the one that waits longest, takes for its first wish that can be had
the oldest others who fit. Two fit when neither has blocked the other, they are not the same
player, and each one's rating is within the other's window, which widens with the wait until it is
open to everybody. The same tickets always give the same groups, in whatever order they come.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import inf

from lobby.tickets import ANY, Ticket, Wish

# Of all who fit the oldest ticket, this many are tried together. It bounds the search where most
# candidates do not fit each other.
CANDIDATES = 24


@dataclass(frozen=True, slots=True)
class Config:
    sizes: Mapping[str, tuple[int, int]]
    """Fewest and most seats of each mode."""
    window: float = 150.0
    widen_per_second: float = 15.0
    open_after_ms: int = 45_000
    patience_ms: int = 5_000
    """How long "any size" waits for each seat that the largest size has more."""
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
    """Disjoint groups; each member has a wish for its group. Groups with bots come last."""
    wave = _Wave(sorted(tickets, key=_age), now, config, blocked)
    return [*wave.of_players(), *wave.with_bots()]


def offers(tickets: Iterable[Ticket], now: int, config: Config) -> list[Ticket]:
    """The tickets that have waited long enough to be asked whether a bot may join."""
    return [
        ticket
        for ticket in tickets
        if ticket.bots == "ask"
        and now - ticket.queued_at >= config.bots_after_ms
        and config.bot_wish(ticket) is not None
    ]


def window(ticket: Ticket, now: int, config: Config) -> float:
    """How far from its own rating this ticket looks, at this time."""
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


class _Wave:
    def __init__(
        self, tickets: Sequence[Ticket], now: int, config: Config, blocked: Blocked
    ) -> None:
        self.now, self.config, self.blocked = now, config, blocked
        self.free = {ticket.id: ticket for ticket in tickets}
        self.order = list(self.free.values())
        self.by_game: dict[tuple[str, bool, str], dict[str, Ticket]] = {}
        """Who is free, by what they wish for, oldest first."""
        for ticket in self.order:
            for wish in ticket.wishes:
                self.by_game.setdefault(wish.game, {})[ticket.id] = ticket

    def of_players(self) -> Iterator[Group]:
        for first in self.order:
            if first.id in self.free:
                group = self._group_for(first)
                if group is not None:
                    yield self._take(group)

    def with_bots(self) -> Iterator[Group]:
        # First those who want one now: "nobody else waits" is judged by who is left after them.
        for first in sorted(self.order, key=lambda ticket: ticket.bots != "now"):
            wish = self.config.bot_wish(first)
            if first.id in self.free and wish is not None and self._bots_welcome(first):
                yield self._take(self._filled(first, wish))

    def _take(self, group: Group) -> Group:
        for ticket in group.tickets:
            del self.free[ticket.id]
            for wish in ticket.wishes:
                self.by_game[wish.game].pop(ticket.id, None)
        return group

    def _group_for(self, first: Ticket) -> Group | None:
        for wish in self.config.wishes_of(first):
            for size in self._sizes(first, wish):
                candidates = self._candidates(first, wish, size)
                members = self._complete([first], candidates, size, wish.mode)
                if members is not None:
                    return _group(wish, size, members)
        return None

    def _sizes(self, first: Ticket, wish: Wish) -> Iterator[int]:
        """The sizes to try for a wish, the largest first."""
        fewest, most = self.config.sizes[wish.mode]
        if wish.size != ANY:
            yield wish.size
            return
        # Who would play with a bot at once would rather play with people at once.
        patience = 0 if first.bots == "now" else self.config.patience_ms
        for size in range(most, fewest - 1, -1):
            if self.now - first.queued_at >= (most - size) * patience:
                yield size

    def _candidates(self, first: Ticket, wish: Wish, size: int) -> list[Ticket]:
        # For two the first who fits is the one; larger groups must fit each other, too.
        enough = 1 if size == 2 else CANDIDATES
        fitting = (
            ticket
            for ticket in self.by_game[wish.game].values()
            if _accepts(ticket, wish, size) and self._fit(first, ticket, wish.mode)
        )
        return list(islice(fitting, enough))

    def _complete(
        self, members: list[Ticket], candidates: list[Ticket], size: int, mode: str
    ) -> list[Ticket] | None:
        """The first way, in order of age, to fill the group with candidates who all fit."""
        if len(members) == size:
            return members
        for index, ticket in enumerate(candidates):
            if len(members) + len(candidates) - index < size:
                return None
            # All candidates fit the first member already.
            if all(self._fit(ticket, other, mode) for other in members[1:]):
                rest = self._complete([*members, ticket], candidates[index + 1 :], size, mode)
                if rest is not None:
                    return rest
        return None

    def _fit(self, a: Ticket, b: Ticket, mode: str) -> bool:
        return fit(a, b, mode, self.now, self.config, self.blocked)

    def _bots_welcome(self, ticket: Ticket) -> bool:
        if ticket.bots == "now":
            return True
        if ticket.bots != "later" or self.now - ticket.queued_at < self.config.bots_after_ms:
            return False
        return not any(
            other.player.identity != ticket.player.identity
            for wish in ticket.wishes
            for other in self.by_game[wish.game].values()
        )

    def _filled(self, first: Ticket, wish: Wish) -> Group:
        """A group with everybody who fits and is content with bots; bots take the other seats."""
        fewest, most = self.config.sizes[wish.mode]
        members = [first]
        for ticket in self._candidates(first, wish, wish.size):
            fits = all(self._fit(ticket, other, wish.mode) for other in members[1:])
            if fits and ticket.bots == "now" and len(members) + 1 < (wish.size or most):
                members.append(ticket)
        size = wish.size or max(fewest, len(members) + 1)
        return _group(wish, size, members, bots=size - len(members))


def _accepts(ticket: Ticket, wish: Wish, size: int) -> bool:
    return any(own.game == wish.game and own.size in (ANY, size) for own in ticket.wishes)


def _group(wish: Wish, size: int, members: list[Ticket], bots: int = 0) -> Group:
    return Group(
        mode=wish.mode,
        size=size,
        rated=wish.rated and not bots,
        preset=wish.preset,
        tickets=tuple(sorted(members, key=_age)),
        bots=bots,
    )
