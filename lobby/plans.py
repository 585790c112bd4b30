"""The plan of a match: everything that is decided before it is created."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields
from typing import Any

import msgspec

from games.engine import registry
from games.engine.errors import GameError
from games.live.setup import new_id
from lobby.errors import LobbyError
from lobby.pairing import Group
from lobby.players import Player
from lobby.tickets import Ticket


class Seated(msgspec.Struct, frozen=True, kw_only=True):
    """A player who gets a seat. House bots have no identity: they may play many matches at once."""

    identity: str
    name: str
    kind: str
    user_id: int | None = None
    ticket: str = ""
    text: bool = False


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    match: str
    mode: str
    seats: tuple[Seated, ...]
    options: dict[str, Any]
    rated: bool
    source: str
    previous: str | None = None
    tickets: tuple[Ticket, ...] = ()
    """The claimed tickets, which are re-queued if a player doesn't get ready."""
    is_private: bool = False
    """Not listed, whatever its source is."""

    @property
    def has_rematch(self) -> bool:
        """Its players may play again as they are; those of a tournament are paired anew."""
        return len(self.seats) > 1 and self.source != "tournament"

    @property
    def identities(self) -> list[str]:
        return [seat.identity for seat in self.seats if seat.identity]

    def seat_of(self, identity: str) -> int | None:
        """The number of this player's seat."""
        numbers = [number for number, seat in enumerate(self.seats) if seat.identity == identity]
        return numbers[0] if numbers else None

    def encoded(self) -> bytes:
        return msgspec.json.encode(self)


def decoded(raw: bytes) -> Plan:
    return msgspec.json.decode(raw, type=Plan)


def seat_for(player: Player, ticket: str = "") -> Seated:
    return Seated(
        identity=player.identity,
        name=player.name,
        kind=player.kind,
        user_id=player.user_id,
        ticket=ticket,
        text=player.text,
    )


def plan_for(group: Group, bots: Iterable[Seated] = ()) -> Plan:
    """The match that pairing decided on. The one who queued first has seat 0."""
    seats = (*(seat_for(t.player, t.id) for t in group.tickets), *bots)
    preset = registry.mode(group.mode).preset(group.preset).options if group.preset else {}
    return Plan(
        match=new_id(),
        mode=group.mode,
        seats=seats,
        options=fitted(group.mode, dict(preset), seats),
        rated=group.rated,
        source="queue",
        tickets=group.tickets,
    )


def fitted(mode: str, options: dict[str, Any], seats: Iterable[Seated]) -> dict[str, Any]:
    """The options as these players need them."""
    for_text = registry.mode(mode).text_options
    if for_text is not None and any(seat.text for seat in seats):
        return for_text(options)
    return options


def checked_options(mode: str, raw: dict[str, Any]) -> dict[str, Any]:
    """Options that the mode takes, as they were given; raises LobbyError. Nothing that the mode
    has not declared is kept, whatever its rules do with it."""
    if mode not in registry.REGISTRY:
        raise LobbyError("no_such_mode", mode=mode)
    try:
        parsed = registry.MODES[mode].parse_options(raw)
    except GameError as error:
        raise LobbyError("bad_options", error.text, mode=mode) from error
    known = {field.name for field in fields(parsed)}
    return {name: value for name, value in raw.items() if name in known}
