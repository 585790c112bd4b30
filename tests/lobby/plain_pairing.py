"""Pairing as its docstring says it, without an index: slow, and what the real one must equal."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from lobby.pairing import CANDIDATES, Blocked, Config, Group, fit
from lobby.tickets import ANY, Ticket, Wish


def pair(tickets: Iterable[Ticket], now: int, config: Config, blocked: Blocked) -> list[Group]:
    free = sorted(tickets, key=lambda ticket: (ticket.queued_at, ticket.id))
    return PlainPairing(free, now, config, blocked).wave()


@dataclass
class PlainPairing:
    free: list[Ticket]
    now: int
    config: Config
    blocked: Blocked
    groups: list[Group] = field(default_factory=list)

    def wave(self) -> list[Group]:
        for first in list(self.free):
            if first in self.free:
                self.try_players(first)
        for first in [ticket for ticket in self.free if ticket.bots == "now"]:
            if first in self.free:
                self.try_bots(first)
        for first in [ticket for ticket in self.free if ticket.bots == "later"]:
            waited = self.now - first.queued_at
            if waited >= self.config.bots_after_ms and self.is_alone(first):
                self.try_bots(first)
        return self.groups

    def try_players(self, first: Ticket) -> None:
        for wish in first.wishes:
            for size in self.sizes(first, wish):
                others = self.candidates(first, wish, size)
                if members := self.complete([first], others, size, wish.mode):
                    self.take(wish, size, members)
                    return

    def try_bots(self, first: Ticket) -> None:
        wish = first.wishes[0]
        most = wish.size or self.config.sizes[wish.mode][1]
        members = [first]
        for ticket in self.candidates(first, wish, wish.size):
            together = all(self.fits(ticket, other, wish.mode) for other in members)
            if together and ticket.bots == "now" and len(members) + 1 < most:
                members.append(ticket)
        size = wish.size or max(self.config.sizes[wish.mode][0], len(members) + 1)
        self.take(wish, size, members, size - len(members))

    def fits(self, a: Ticket, b: Ticket, mode: str) -> bool:
        return fit(a, b, mode, self.now, self.config, self.blocked)

    def candidates(self, first: Ticket, wish: Wish, size: int) -> list[Ticket]:
        accepting = [
            ticket
            for ticket in self.free
            if any(own.game == wish.game and own.size in (ANY, size) for own in ticket.wishes)
        ]
        found = [ticket for ticket in accepting if self.fits(first, ticket, wish.mode)]
        return found[: 1 if size == 2 else CANDIDATES]

    def complete(
        self, members: list[Ticket], rest: list[Ticket], size: int, mode: str
    ) -> list[Ticket]:
        if len(members) == size:
            return members
        for index, ticket in enumerate(rest):
            if all(self.fits(ticket, other, mode) for other in members):
                whole = self.complete([*members, ticket], rest[index + 1 :], size, mode)
                if whole:
                    return whole
        return []

    def sizes(self, first: Ticket, wish: Wish) -> list[int]:
        fewest, most = self.config.sizes[wish.mode]
        patience = 0 if first.bots == "now" else self.config.patience_ms
        waited = self.now - first.queued_at
        patient = [size for size in range(fewest, most + 1) if waited >= (most - size) * patience]
        return patient[::-1] if wish.size == ANY else [wish.size]

    def take(self, wish: Wish, size: int, members: list[Ticket], bots: int = 0) -> None:
        order = tuple(ticket for ticket in self.free if ticket in members)
        rated = wish.rated and not bots
        self.groups.append(Group(wish.mode, size, rated, wish.preset, order, bots))
        self.free = [ticket for ticket in self.free if ticket not in members]

    def is_alone(self, first: Ticket) -> bool:
        games = {wish.game for wish in first.wishes}
        return not any(
            other.player.identity != first.player.identity
            and games & {wish.game for wish in other.wishes}
            for other in self.free
        )
