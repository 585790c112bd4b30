"""One client's conversation: lines and events in, steps out. No IO, no clock.

    START -PLAY-> QUEUED -matched-> SETUP -both ready-> LIVE -result-> AGAIN -settled-> ...

The gateway carries out the steps that a session returns, and reports back through the methods
named after what has happened. An error never changes the state.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from games.engine.text import Act, Again, Authenticate, Back, Close, Leave, Play, Say
from games.engine.text import QueueStep as Step

from . import codec
from .codec import BadLine


class Stage(Enum):
    START = "start"
    QUEUED = "queued"
    SETUP = "set-up"
    LIVE = "live"
    AGAIN = "again"


TURN, WAIT, WINN, LOSE = Say("TURN"), Say("WAIT"), Say("WINN"), Say("LOSE")
DENIALS = {
    "bad_token": "this token is not valid for playing",
    "match_failed": "the match could not be made; PLAY again",
    "name_like_account": "this name looks like another player's; choose another one",
    "name_of_account": "this name belongs to an account: send AUTH and its API token first",
    "name_reserved": "this name is reserved; choose another one",
    "no_place": "there is no match of this name and key to come back to",
    "ticket_gone": "the queue has let you go; PLAY again",
}


def erro(reason: str) -> Say:
    return Say(f"ERRO {reason}")


class Session:
    def __init__(self) -> None:
        self.stage = Stage.START
        self.seat = 0
        self._placed = False
        self._answered = False
        self._pending = False
        """A PLAY, BACK or AUTH is being looked at outside."""

    @property
    def in_match(self) -> bool:
        return self.stage in (Stage.SETUP, Stage.LIVE)

    @property
    def busy(self) -> bool:
        return self.in_match

    @property
    def asks_again(self) -> bool:
        return self.stage is Stage.AGAIN

    def complaint(self, text: str) -> str:
        return erro(text).text

    # -- from the client -------------------------------------------------------------------------

    def line(self, line: bytes) -> list[Step]:
        """The steps that a line leads to; for a bad one an ERRO and nothing else."""
        try:
            request = codec.read(line)
            return self._request(request.verb, request.argument)
        except BadLine as bad:
            return [erro(str(bad))]

    def _request(self, verb: str, argument: str) -> list[Step]:
        if verb == "QUIT":
            return [*self.lost(), Close()]
        if verb in ("AUTH", "PLAY", "BACK"):
            return self._from_start(verb, argument)
        if verb == "REDY":
            self._demand(self.stage is Stage.SETUP, "there is no fleet to place now")
            self._demand(not self._placed, "your fleet is placed already")
            return [Act({"type": "place", "ships": codec.read_board(argument)})]
        if verb == "BOM1":
            self._demand(self.stage is Stage.LIVE, "there is no battle now")
            return [Act({"type": "bomb", "cell": codec.read_cell(argument)})]
        if verb == "SURR":
            self._demand(self.in_match, "you are not in a match")
            self._back_to_start()
            return [Act({"type": "surrender"}), Leave()]
        yes = codec.read_again(argument)
        self._demand(self.stage is Stage.AGAIN, "there is no finished match to play again")
        self._demand(not self._answered, "you have answered already")
        self._answered = True
        return [Again(yes)]

    def _from_start(self, verb: str, argument: str) -> list[Step]:
        name, key = ("", "") if verb == "AUTH" else codec.read_name(argument)
        self._demand(self.stage is Stage.START, "you are queued or in a match already")
        self._demand(not self._pending, "wait for the answer to your last line")
        self._pending = True
        if verb == "AUTH":
            return [Authenticate(argument)]
        return [Play(name, key) if verb == "PLAY" else Back(name, key)]

    @staticmethod
    def _demand(condition: bool, otherwise: str) -> None:
        if not condition:
            raise BadLine(otherwise)

    def lost(self) -> list[Step]:
        """The connection is gone: no grace in this protocol."""
        stage = self.stage
        self._back_to_start()
        if stage in (Stage.SETUP, Stage.LIVE):
            return [Act({"type": "surrender"}), Leave()]
        return [Again(False)] if stage is Stage.AGAIN else []

    # -- from outside ----------------------------------------------------------------------------

    def queued(self) -> list[Step]:
        self._pending = False
        self.stage = Stage.QUEUED
        return []

    def denied(self, code: str, text: str) -> list[Step]:
        """The gateway refused PLAY, BACK or AUTH, or the client has lost its place in the queue."""
        self._pending = False
        self.stage = Stage.START
        return [erro(DENIALS.get(code, text))]

    def authenticated(self) -> list[Step]:
        self._pending = False
        return []

    def matched(self, opponent: str, seat: int) -> list[Step]:
        self.stage = Stage.SETUP
        self.seat = seat
        self._placed = self._answered = False
        return [Say(f"PLAY {opponent}")]

    def returned(self, opponent: str, seat: int, view: dict[str, Any]) -> list[Step]:
        """Back in the match: the client hears where it stands, and keeps its own record."""
        steps = self.matched(opponent, seat)
        self._pending = False
        self._placed = bool(view["seats"][seat]["ready"])
        if view["phase"] == "live":
            self.stage = Stage.LIVE
            steps += self._turn(view["game"]["turn"])
        return steps

    def refused(self, code: str, text: str) -> list[Step]:
        """The rules refused the last action."""
        return [erro(text)] if self.in_match else []

    def event(self, event: dict[str, Any]) -> list[Step]:
        """An event of the match, as this seat receives it."""
        if not self.in_match:
            return []
        kind = event["type"]
        if kind == "refused":
            return [erro(event["text"])]
        if kind == "placed":
            self._placed = True
            return []
        if kind == "started":
            self.stage = Stage.LIVE
            return []
        if kind == "turn":
            return self._turn(event["turn"])
        if kind == "bombed":
            return [Say(codec.result(event["cell"], event["hit"])), *self._turn(event["turn"])]
        if kind == "claimable" and event["seat"] != self.seat:
            # Nobody waits for a player who is gone here: the win is claimed at once.
            return [Act({"type": "claim_win"})]
        return self._over(event["outcome"]) if kind == "over" else []

    def _turn(self, seat: int | None) -> list[Step]:
        if seat is None:
            return []
        return [TURN if seat == self.seat else WAIT]

    def _over(self, outcome: dict[str, Any]) -> list[Step]:
        absent, reason = outcome["absent"], outcome["reason"]
        if outcome["aborted"]:
            self._back_to_start()
            if not absent:
                return [erro("the match was aborted"), Leave()]
            return [LOSE if self.seat in absent else WINN, Leave()]
        won = outcome["ranks"][self.seat] == 1
        if reason == "last_one_left":
            # The other gave up or is gone: nobody to play again with.
            self._back_to_start()
            return [WINN if won else LOSE, Leave()]
        self.stage = Stage.AGAIN
        return [WINN if won else LOSE]

    def settled(self, again: bool) -> list[Step]:
        """All have answered, or somebody said no."""
        if self.stage is not Stage.AGAIN:
            return []
        if not again:
            self._back_to_start()
        return [Say(f"AGAN,{int(again)}")]

    def rematched(self, seat: int) -> list[Step]:
        """The new match is there; the client places a fleet again without another PLAY."""
        self.matched("", seat)
        return []

    def _back_to_start(self) -> None:
        self.stage = Stage.START
        self._placed = self._answered = self._pending = False
