"""The accounts and matches that `manage.py demo` makes."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final, NamedTuple

from allauth.account.models import EmailAddress
from django.db import transaction
from django.utils import timezone

from accounts.models import User
from games.bots.roster import ROSTER, Character
from games.demo.playing import play
from games.engine import registry
from games.live.archive import store
from games.live.setup import MatchSetup, SeatInfo, new_id, new_seed
from games.models import Match

# Name, and which character of the roster they play like.
PEOPLE: Final = (("Ada", 5), ("Grace", 4), ("Emmy", 4), ("Hedy", 3), ("Alan", 2), ("Kurt", 1))
BOTS: Final = (("Tin_Man", 3), ("Clockwork", 2))
GUEST: Final = ("MerryOtter417", 1)
NAMES: Final = tuple(name for name, _ in (*PEOPLE, *BOTS, GUEST))
DAYS: Final = 30


class Table(NamedTuple):
    """A kind of match that is played, and how often beside the others."""

    mode: str
    seats: int
    share: int
    options: dict[str, Any]


def tables() -> list[Table]:
    """The demo tables of every mode."""
    return [
        Table(mode.name, demo.seats, demo.share, dict(demo.options))
        for mode in registry.modes()
        for demo in mode.demo
    ]


class Player(NamedTuple):
    user: User
    character: Character


@transaction.atomic
def make_people(password: str) -> dict[str, Player]:
    """The demo accounts, by name. Only the people have the password."""
    made = {}
    for name, level in PEOPLE:
        user = User.objects.create_user(name, f"{name.lower()}@example.org", password)
        EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        made[name] = Player(user, ROSTER[level])
    others = [(n, level, User.Kind.BOT) for n, level in BOTS] + [(*GUEST, User.Kind.GUEST)]
    for name, level, kind in others:
        made[name] = Player(User.objects.create_user(name, kind=kind), ROSTER[level])
    for character in ROSTER[:3]:
        user, _ = User.objects.get_or_create(
            username=character.name, defaults={"kind": User.Kind.HOUSE, "password": "!"}
        )
        made[character.name] = Player(user, character)
    # They were here before their first match: new accounts hardly move others' ratings.
    joined = timezone.now() - timedelta(days=DAYS + 2)
    User.objects.filter(username__in=made).update(date_joined=joined)
    return made


def play_matches(
    people: dict[str, Player], matches: int, now: datetime, random: Random
) -> Iterator[str]:
    """Play so many matches, the oldest first, over the last thirty days; yields each one's id.
    They are stored by the function that archives live matches: results, ratings, logs."""
    pace = timedelta(days=DAYS) / (matches + 1)
    kinds = tables()
    shares = [table.share for table in kinds]
    for number in range(1, matches + 1):
        # Every kind once, then by share: a small demo has every mode too.
        table = kinds[number - 1] if number <= len(kinds) else random.choices(kinds, shares)[0]
        seated, rated = _seated(people, table, number, random)
        begin = now - timedelta(days=DAYS) + pace * number
        setup = MatchSetup(
            mode=table.mode,
            version=registry.game(table.mode).spec.version,
            seed=new_seed(),
            seats=[SeatInfo(p.user.pk, p.user.username, p.user.kind) for p in seated],
            options=table.options,
            rated=rated,
            source="solo" if table.seats == 1 else "queue",
        )
        characters = [player.character for player in seated]
        state, entries = play(setup, characters, random, int(begin.timestamp() * 1000))
        match_id = new_id()
        outcome = state.outcome()
        assert outcome is not None
        store(match_id, state, outcome, entries)
        Match.objects.filter(pk=match_id).update(created_at=begin)
        yield match_id


def _seated(
    people: dict[str, Player], table: Table, number: int, random: Random
) -> tuple[list[Player], bool]:
    """Mostly people among themselves, rated; now and then bots, a guest or the house."""
    named = [people[name] for name, _ in PEOPLE]
    if table.seats == 1:
        return [random.choice(named)], False
    if table.seats == 2 and number % 4 == 0:
        return [people[name] for name, _ in BOTS], True
    if number % 7 == 0:
        others = [people[GUEST[0]], *(people[c.name] for c in ROSTER[:3])]
        company = random.sample(others, table.seats - 1)
        return [random.choice(named), *company], False
    return random.sample(named, table.seats), True
