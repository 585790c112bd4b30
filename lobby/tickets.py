"""A ticket: one player, waiting for any of some wishes."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Literal

import msgspec

from games.engine import registry
from games.option_form import usual_preset
from lobby.errors import LobbyError
from lobby.players import Player

ANY = 0
"""The size of a wish that takes the largest match that can be had."""

MAX_WISHES = 12

Bots = Literal["ask", "now", "later", "never"]
"""The moment at which a house bot may fill in: only after the player said yes to the offer; at
once; by itself after the usual wait when nobody else waits there (text players); not at all."""


class Wish(msgspec.Struct, frozen=True, kw_only=True):
    mode: str
    size: int = ANY
    rated: bool = False
    preset: str = ""
    """A named option set of the mode; empty: its defaults."""

    @property
    def game(self) -> tuple[str, bool, str]:
        """All that two wishes must have in common to become one match, apart from the size."""
        return self.mode, self.rated, self.preset

    @property
    def queue(self) -> str:
        size = "any" if self.size == ANY else str(self.size)
        name = f"{self.mode}:{size}:{'rated' if self.rated else 'casual'}"
        return f"{name}:{self.preset}" if self.preset else name


class Ticket(msgspec.Struct, frozen=True, kw_only=True):
    id: str
    player: Player
    wishes: tuple[Wish, ...]
    queued_at: int
    """Milliseconds. It stays when the player goes back to the front of the queue."""
    queues: tuple[str, ...]
    rev: str
    """Changes with every change of the ticket, so a claim of an outdated ticket fails."""
    bots: Bots = "ask"
    ttl_ms: int = 15_000
    """The ticket expires when its holder hasn't refreshed it for this long."""
    requeue: bool = True
    """Goes back to the queue by itself when another player did not get ready."""


class Matched(msgspec.Struct, frozen=True, kw_only=True):
    """A ticket became a seat. `failed` is an error code instead, when the match could not be
    created."""

    ticket: str
    identity: str = ""
    """The ticket's owner."""
    match: str = ""
    seat: int = 0
    mode: str = ""
    players: tuple[dict[str, str], ...] = ()
    """Name and kind of every seat."""
    source: str = "queue"
    failed: str = ""

    @property
    def opponents(self) -> list[str]:
        return [p["name"] for number, p in enumerate(self.players) if number != self.seat]


def new_ticket(
    player: Player,
    wishes: tuple[Wish, ...],
    queued_at: int,
    *,
    bots: Bots = "ask",
    ttl_ms: int = 15_000,
    requeue: bool = True,
    id: str = "",
) -> Ticket:
    return Ticket(
        id=id or secrets.token_hex(8),
        player=player,
        wishes=wishes,
        queued_at=queued_at,
        queues=tuple(dict.fromkeys(wish.queue for wish in wishes)),
        rev=secrets.token_hex(4),
        bots=bots,
        ttl_ms=ttl_ms,
        requeue=requeue,
    )


def checked_wishes(player: Player, wishes: Iterable[Wish]) -> tuple[Wish, ...]:
    """The wishes as they can be queued, each once; raises LobbyError."""
    asked = tuple(dict.fromkeys(wishes))
    if len(asked) > MAX_WISHES:
        raise LobbyError("too_many_wishes", f"You can join up to {MAX_WISHES} queues at once.")
    if not asked:
        raise LobbyError("bad_message", "Name at least one queue to wait in.")
    return tuple(dict.fromkeys(_checked(player, wish) for wish in asked))


def _checked(player: Player, wish: Wish) -> Wish:
    try:
        mode = registry.mode(wish.mode)
    except KeyError:
        raise LobbyError("no_such_mode", mode=wish.mode) from None
    if mode.solo:
        raise LobbyError("solo_only", mode=wish.mode)
    fewest, most = max(2, mode.seats[0]), mode.seats[1]
    if wish.size != ANY and not fewest <= wish.size <= most:
        raise LobbyError(
            "bad_size", f"{mode.title} is for {fewest} to {most} players.", mode=wish.mode
        )
    preset = next((one for one in mode.presets if one.name == wish.preset), None)
    if wish.preset and preset is None:
        raise LobbyError("bad_options", f"{mode.title} has no preset of that name.", mode=wish.mode)
    if wish.rated and not mode.may_be_rated:
        raise LobbyError("never_rated", mode=wish.mode)
    if wish.rated and not player.may_play_rated:
        raise LobbyError("rated_needs_account")
    # With one size to choose from, "any" and that size are the same queue; and so are the defaults
    # and the preset that says the same.
    only = fewest if fewest == most else preset.size if preset else None
    name = "" if preset is not None and preset == usual_preset(mode) else wish.preset
    return msgspec.structs.replace(wish, size=wish.size or only or ANY, preset=name)
