"""Entry 0 of a match's log: who plays what, with which secret. Never sent to clients."""

from __future__ import annotations

import secrets
from typing import Any

import msgspec

from games.engine import registry
from games.engine.game import Game, Setup
from games.engine.rng import SEED_BYTES

ID_LENGTH = 12
_ALPHABET = "abcdefghijklmnopqrstuvwxyz0123456789"


class UnknownRules(Exception):
    """This process does not have the rules, or not this version of them."""


class SeatInfo(msgspec.Struct, frozen=True):
    """The player of a seat. `user_id` is None for a player without an account."""

    user_id: int | None = msgspec.field(name="user")
    name: str
    kind: str
    """registered, guest, bot or house."""


class MatchSetup(msgspec.Struct, frozen=True, rename={"previous": "from"}):
    mode: str
    version: int
    seed: str
    """Hexadecimal, 32 bytes."""
    seats: list[SeatInfo]
    options: dict[str, Any]
    rated: bool
    source: str
    """queue, invite, challenge, rematch, solo, daily, text, tournament or sealed."""
    deal: str = ""
    previous: str | None = None
    countdown: int = 0
    """Milliseconds from the moment when everybody is ready to the start."""

    def encode(self) -> bytes:
        return msgspec.json.encode(self)

    def game(self) -> Game[Any]:
        """The rules of this match; raises UnknownRules."""
        try:
            game = registry.game(self.mode)
        except KeyError:
            raise UnknownRules(f"{self.mode} is not known here") from None
        if self.version not in (game.spec.version, *game.spec.replays):
            raise UnknownRules(f"{self.mode} {self.version} is not known here")
        return game

    def for_engine(self, game: Game[Any], at: int) -> Setup:
        return Setup(
            mode=self.mode,
            version=self.version,
            seed=bytes.fromhex(self.seed),
            seats=len(self.seats),
            options=game.parse_options(self.options),
            at=at,
            deal=bytes.fromhex(self.deal),
            countdown=self.countdown,
        )


def decode_setup(raw: bytes) -> MatchSetup:
    return msgspec.json.decode(raw, type=MatchSetup)


def new_id() -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(ID_LENGTH))


def new_seed() -> str:
    return secrets.token_bytes(SEED_BYTES).hex()
