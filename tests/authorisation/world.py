"""The people of the matrix and what belongs to Alice, who is none of them: whatever is hers must
not be seen by those who may not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from asgiref.sync import sync_to_async
from django.contrib.auth.models import Group
from django.contrib.contenttypes.models import ContentType
from django.test import AsyncClient
from django.utils import timezone

from accounts import tokens
from accounts.models import Rating, RatingChange, Token, User
from games.live.setup import SeatInfo
from games.live.start import create_match
from games.models import Match
from games.moderation.models import DeviceSeen, Report, Sanction, StaffAct
from games.puzzles import stock
from games.puzzles.models import Puzzle
from games.statistics.models import SoloGame
from lobby import invitations
from lobby.chat.models import Line
from lobby.players import player_of
from lobby.tournaments import entry
from lobby.tournaments.models import Tournament

PEOPLE = (
    "anonymous",
    "guest",
    "other",
    "opponent",
    "spectator",
    "bot",
    "support",
    "moderator",
    "operator",
)
STAFF = PEOPLE[-3:]
EMAIL = "alice-keeps-this@example.org"
PREFERENCE = "alice-keeps-that"


@dataclass
class World:
    users: dict[str, User]
    alice: User
    match: str
    invitation: str
    tournament: str
    bot_token: str
    alice_token: Token
    samples: dict[str, Any]

    def client(self) -> AsyncClient:
        return AsyncClient(raise_request_exception=False)

    def headers(self, person: str) -> dict[str, str]:
        return {"authorization": f"Bearer {self.bot_token}"} if person == "bot" else {}

    async def new_match(self) -> None:
        """A match of Alice and the opponent that has just begun: it waits for them a minute."""
        seats = [SeatInfo(u.pk, u.username, u.kind) for u in (self.alice, self.users["opponent"])]
        self.match = await create_match("battleship", seats, {}, rated=False, source="challenge")

    async def enter(self, client: AsyncClient, person: str) -> None:
        if person not in ("anonymous", "bot"):
            await client.aforce_login(self.users[person])


@sync_to_async
def _people() -> tuple[dict[str, User], User]:
    users = {}
    kinds = {"guest": "guest", "bot": "bot"}
    for person in PEOPLE[1:]:
        user = User.objects.create(
            username=f"a-{person}", kind=kinds.get(person, "registered"), is_staff=person in STAFF
        )
        if person in STAFF:
            user.groups.add(Group.objects.get(name=person))
        users[person] = user
    alice = User.objects.create(
        username="alice", email=EMAIL, preferences={"private": True, "note": PREFERENCE}
    )
    return users, alice


@sync_to_async
def _belongings(alice: User, other: User) -> dict[str, Any]:
    token, _secret = tokens.issue(alice, "hers", ["read"])
    solo = Match.objects.create(
        id="s" * 12, mode="classic", rules_version=1, rated=False, source="solo", status="over"
    )
    return {
        "token": token,
        "rating": Rating.objects.create(user=alice, mode="race", mu=25, sigma=8, shown=1000),
        "ratingchange": RatingChange.objects.create(
            user=alice, mode="race", match_id="m" * 12, mu=25, sigma=8, before=1, after=2
        ),
        "report": Report.objects.create(reporter=other, player=alice, reason="other"),
        "sanction": Sanction.objects.create(
            user=User.objects.create(username="a-muted-one"), kind="mute", reason="spam"
        ),
        "line": Line.objects.create(room="match:x", author=alice, key="k", text="hers"),
        "deviceseen": DeviceSeen.objects.create(user=alice, device_hash="0" * 64),
        "staffact": StaffAct.objects.create(by_name="x", act="mute", target="alice"),
        "sologame": SoloGame.objects.create(
            match=solo,
            user=alice,
            mode="classic",
            board="expert",
            no_guess=False,
            won=True,
            ended_at=timezone.now(),
            aided=False,
            ranked=True,
            state="held",
            time_ms=1000,
            bbbv=100,
            bbbv_done=100,
            reveals=100,
            flags=0,
            chords=0,
        ),
        "group": Group.objects.get(name="support"),
    }


def _puzzle() -> int:
    """The only one, so that the stock is not loaded."""
    stock.store([next(stock.read())], Puzzle.Source.STOCK)
    return Puzzle.objects.get().pk


@sync_to_async
def _tournament(alice: User) -> Tournament:
    """One that anybody may join, and only Alice or staff may call off."""
    starts_at = timezone.now() + timedelta(hours=1)
    made = Tournament.objects.create(
        name="Hers", kind="arena", mode="race", minutes=60, starts_at=starts_at, organiser=alice
    )
    entry.join(made.pk, alice)
    return made


async def make_world() -> World:
    users, alice = await _people()
    belongings = await _belongings(alice, users["other"])
    _token, secret = await sync_to_async(tokens.issue)(users["bot"], "bot", ["play", "read"])
    invitation = await invitations.create(player_of(alice), "race")
    objects = {name: one.pk for name, one in belongings.items()}
    kind = await ContentType.objects.aget(app_label="accounts", model="user")
    samples = {**objects, "user": alice.pk, "contenttype": kind.pk}
    samples["puzzle"] = await sync_to_async(_puzzle)()
    cup = await _tournament(alice)
    world = World(users, alice, "", invitation.token, cup.pk, secret, belongings["token"], samples)
    await world.new_match()
    seat = await sync_to_async(lambda: alice.seats.get().pk)()
    samples |= {"match": world.match, "seat": seat}
    return world
