"""One client's conversation: messages and news in, steps out. No IO, no clock."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any

from games.engine.text import (
    Act,
    Choose,
    CreateRoom,
    JoinRoom,
    LeaveMatch,
    LeaveRoom,
    ListRooms,
    Say,
    TakeName,
)
from games.engine.text import RoomStep as Step

from . import codec
from .board import Told
from .codec import BadMessage

STAGES = {
    1: "The game has started.",
    2: "Stage 2: Attack. Mines regenerate the area around them; claim only next to your area.",
    3: "Stage 3: Lock. Mines freeze and regenerate; the game ends in a minute.",
}
REFUSALS = {
    "dropped": "You are no longer in this game.",
    "frozen": "You are frozen.",
    "not_adjacent": "You can only claim squares adjacent to your area.",
    "not_started": "Wait for all players to choose a starting square.",
    "room_exists": "This name is already in use.",
    "too_many_rooms": "There are too many games already; join one.",
}


class Stage(Enum):
    NAMING = "naming"
    LOBBY = "lobby"
    ROOM = "room"  # joined; picking a start until everyone has
    LIVE = "live"
    OVER = "over"  # still in the game, which has ended


class Session:
    def __init__(self) -> None:
        self.stage = Stage.NAMING
        self._size = 0
        self._picked = False
        self._stage = 1
        """Of the match, as far as the client was told."""
        self._told: Told | None = None

    def greeting(self) -> list[Step]:
        return [Say("Send your name.")]

    # -- from the client -------------------------------------------------------------------------

    def frame(self, text: str) -> list[Step]:
        """The steps that a message leads to; for a bad one a text and nothing else."""
        if self.stage is Stage.NAMING:
            problem = codec.name_problem(text)
            return [Say(problem)] if problem else [TakeName(text)]
        if self.stage in (Stage.ROOM, Stage.LIVE):
            return self._in_game(text)
        if text == codec.LEAVE and self.stage is Stage.OVER:
            self.stage = Stage.LOBBY
            return []
        return self._in_lobby(text)

    def _in_lobby(self, text: str) -> list[Step]:
        command, rest = text[:1], text[1:]
        try:
            if command == "g" and not rest:
                return [ListRooms()]
            if command == "n":
                game = codec.read_new_game(rest)
                return [CreateRoom(game.name, game.as_json())]
            if command == "j" and rest:
                return [JoinRoom(rest)]
        except BadMessage as bad:
            return [Say(str(bad))]
        if self.stage is Stage.OVER:
            return [self._complaint("The game is over.")]
        return [Say("Unknown command: g lists games, n makes one, j joins one.")]

    def _in_game(self, text: str) -> list[Step]:
        if text == codec.LEAVE:
            return self.lost()
        try:
            cell = codec.read_position(text, self._size)
        except BadMessage as bad:
            return [self._complaint(str(bad))]
        if self.stage is Stage.LIVE:
            known = None if self._told is None else self._told.again(cell)
            return [Act({"type": "claim", "cell": cell})] if known is None else [Say(known)]
        if self._picked:
            return [self._complaint(REFUSALS["not_started"])]
        return [Choose(cell)]

    def is_echo(self, text: str) -> bool:
        """A claim of a square that the client was told of and hasn't asked for since: clients that
        open the neighbours of a zero by themselves send a thousand of them."""
        if self.stage is not Stage.LIVE or self._told is None:
            return False
        try:
            return self._told.ask(codec.read_position(text, self._size))
        except BadMessage:
            return False

    @property
    def busy(self) -> bool:
        return self.stage in (Stage.ROOM, Stage.LIVE)

    def complaint(self, text: str) -> str:
        return self._complaint(text).text

    def _complaint(self, text: str) -> Say:
        in_game = self.stage in (Stage.ROOM, Stage.LIVE, Stage.OVER)
        return Say(codec.message(text) if in_game else text)

    def lost(self) -> list[Step]:
        """The client left, or its connection is gone."""
        stage, self.stage = self.stage, Stage.LOBBY
        if stage is Stage.ROOM:
            return [LeaveRoom()]
        return [LeaveMatch()] if stage is Stage.LIVE else []

    # -- from outside ----------------------------------------------------------------------------

    def named(self) -> list[Step]:
        self.stage = Stage.LOBBY
        return []

    def name_taken(self) -> list[Step]:
        return [Say("This name is already in use.")]

    def refused(self, code: str, text: str) -> list[Step]:
        """The room or the rules refused a request; ignored once the client has left."""
        if self.stage is Stage.LOBBY:
            return []
        return [self._complaint(self._refusal(code, text))]

    def not_created(self, code: str, text: str) -> list[Step]:
        """A mistake in the lobby: plain text, after the end of a game, too."""
        return [Say(REFUSALS.get(code, text))]

    def dismissed(self, code: str, text: str) -> list[Step]:
        """The client is out of its room, or the room's match cannot start."""
        if self.stage is not Stage.ROOM:
            return []
        message = self._complaint(REFUSALS.get(code, text))
        self.stage = Stage.LOBBY
        return [message]

    def rejected(self) -> list[Step]:
        return [Say("Rejected from game")]

    def joined(
        self, game: Mapping[str, Any], players: list[str], choices: dict[str, Any]
    ) -> list[Step]:
        """In the room, with those who were there before."""
        self.stage = Stage.ROOM
        self._size, self._picked = game["size"], False
        lines = [codec.opening(self._size, game["density"]), *map(codec.joined, players)]
        lines += [codec.at(cell, self._size, "o", name) for name, cell in choices.items()]
        return [Say(line) for line in lines]

    def newcomer(self, name: str) -> list[Step]:
        return [Say(codec.joined(name))] if self.stage is Stage.ROOM else []

    def gone(self, name: str) -> list[Step]:
        return [Say(codec.message(f"{name} has left."))] if self.stage is Stage.ROOM else []

    def chosen(self, name: str, choice: Any, own: bool) -> list[Step]:
        """Somebody has picked a start."""
        if self.stage is not Stage.ROOM:
            return []
        self._picked = self._picked or own
        return [Say(codec.at(choice, self._size, "o", name))]

    def started(self, seat: int, names: list[str]) -> list[Step]:
        self.stage, self._stage = Stage.LIVE, 1
        self._told = Told(self._size, seat, names)
        return []

    def event(self, event: dict[str, Any]) -> list[Step]:
        """An event of the match, as this seat receives it."""
        if self.stage is not Stage.LIVE or self._told is None:
            return []
        return [Say(text) for text in self._messages(self._told, event)]

    def _messages(self, told: Told, event: dict[str, Any]) -> list[str]:
        kind = event["type"]
        if kind == "claimed":
            return told.claimed(event)
        if kind == "struck":
            return [] if event["until"] is None else [told.frozen(event["seat"], event["cell"])]
        if kind == "regenerated":
            return told.regenerated(event)
        if kind == "thawed":
            return told.thawed(event["seat"], event["exposed"])
        if kind == "caught_up":
            missed = range(self._stage + 1, event["stage"] + 1)
            self._stage = event["stage"]
            return told.caught_up(event) + [codec.message(STAGES[stage]) for stage in missed]
        if kind == "stage":
            self._stage = event["stage"]
            return [codec.message(STAGES[self._stage])]
        if kind == "refused":
            return [codec.message(self._refusal(event["code"], event["text"]))]
        if kind == "retired" and event["seat"] != told.seat:
            return [codec.message(f"{told.names[event['seat']]} has left.")]
        if kind == "over":
            return self._over(told, event["outcome"])
        return []

    def _refusal(self, code: str, text: str) -> str:
        """The protocol's own words, or the rules' with the players' names in them."""
        names = [] if self._told is None else self._told.names
        for number, name in enumerate(names, 1):
            text = text.replace(f"Player {number} ", f"{name} ")
        return REFUSALS.get(code, text)

    def _over(self, told: Told, outcome: dict[str, Any]) -> list[str]:
        self.stage = Stage.OVER
        if outcome["aborted"]:
            return [codec.message("The game was aborted.")]
        score = codec.message(f"Game over. Your score was {outcome['scores'][told.seat]}")
        if outcome["reason"] == "last_one_left" and outcome["ranks"][told.seat] == 1:
            return [codec.message("You won: everyone else has left."), score]
        return [score]
