"""Follow, block, and what settings allow."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async

from accounts import following, leaving, preferences, privacy
from accounts.models import Follow, User
from accounts.notifications.models import Notification
from lobby import blocks
from lobby.errors import LobbyError
from lobby.people import follows, search
from lobby.people.relation import stands
from tests.lobby.sockets import new_user

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


async def refused(awaitable: Any) -> str:
    with pytest.raises(LobbyError) as caught:
        await awaitable
    return caught.value.code


async def prefers(user: User, **choices: str) -> None:
    await sync_to_async(preferences.change)(user.pk, choices)
    await user.arefresh_from_db()


async def test_follow_tells_the_other_once_and_unfollow_ends_it() -> None:
    ann, bob = await new_user("Ann"), await new_user("Bob")
    assert await follows.follow(ann.pk, "bob") == "Bob"
    await follows.follow(ann.pk, "Bob")
    assert await sync_to_async(following.followed_by)(ann.pk) == [bob]
    assert await sync_to_async(following.followers_of)(bob.pk) == [ann]
    await follows.unfollow(ann.pk, "Bob")
    await follows.follow(ann.pk, "Bob")
    told = [one async for one in Notification.objects.filter(user=bob)]
    assert [(one.kind, one.data, one.url) for one in told] == [
        ("follower", {"name": "Ann"}, "/@Ann/")
    ]
    assert not await sync_to_async(following.mutual)(ann.pk, bob.pk)
    await follows.follow(bob.pk, "Ann")
    assert await sync_to_async(following.mutual)(ann.pk, bob.pk)


async def test_who_can_not_be_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = await new_user("Ann"), await new_user("Bob")
    guest = await new_user("Visitor", "guest")
    assert await refused(follows.follow(ann.pk, "Nobody")) == "no_such_player"
    assert await refused(follows.follow(ann.pk, "ann")) == "not_yourself"
    assert await refused(follows.follow(guest.pk, "Ann")) == "account_needed"
    assert await refused(follows.follow(ann.pk, "Visitor")) == "no_followers"
    await prefers(bob, follows="nobody")
    assert await refused(follows.follow(ann.pk, "Bob")) == "no_followers"
    await prefers(bob, follows="registered")
    monkeypatch.setattr(following, "MOST", 0)
    assert await refused(follows.follow(ann.pk, "Bob")) == "too_many_followed"
    monkeypatch.setattr(follows, "MOST_AN_HOUR", 1)
    assert await refused(follows.follow(ann.pk, "Bob")) == "too_many_followed"
    assert await Follow.objects.acount() == 0


async def test_a_block_ends_following_and_forbids_it() -> None:
    ann, bob = await new_user("Ann"), await new_user("Bob")
    await follows.follow(ann.pk, "Bob")
    await follows.follow(bob.pk, "Ann")
    await blocks.block(bob.pk, "Ann")
    assert await Follow.objects.acount() == 0
    assert await refused(follows.follow(ann.pk, "Bob")) == "blocked"
    known = await sync_to_async(stands)(ann, bob)
    assert not known["may_follow"]
    assert not known["may_challenge"]
    assert not known["sees_online"]
    assert not known["blocked"], "who has blocked whom is not told"


@pytest.mark.parametrize(
    ("setting", "audience", "stranger", "followed", "mutual"),
    [
        ("online", "everyone", True, True, True),
        ("online", "followed", False, True, True),
        ("online", "nobody", False, False, False),
        ("challenges", "registered", True, True, True),
        ("challenges", "followed", False, True, True),
        ("messages", "mutual", False, False, True),
        ("messages", "nobody", False, False, False),
    ],
)
async def test_audiences(setting, audience, stranger, followed, mutual) -> None:
    ann, bob = await new_user("Ann"), await new_user("Bob")
    await prefers(bob, **{setting: audience})
    may = sync_to_async(privacy.may)
    assert await may(setting, bob, ann) == stranger
    await follows.follow(bob.pk, "Ann")
    assert await may(setting, bob, ann) == followed
    await follows.follow(ann.pk, "Bob")
    assert await may(setting, bob, ann) == mutual
    assert await may(setting, bob, bob)
    if setting != "messages":
        allowed = await sync_to_async(privacy.may_all)(setting, [bob], ann)
        assert (bob.pk in allowed) == mutual


async def test_players_are_found_by_the_beginning_of_their_names() -> None:
    for name in ("Anna", "ann-lee", "Anton", "Bob"):
        await new_user(name)
    await new_user("Annguest", "guest")
    closed = await new_user("Annclosed")
    await User.objects.filter(pk=closed.pk).aupdate(is_active=False)

    async def names(text: str) -> list[str]:
        found = await sync_to_async(search.beginning_with)(text)
        return [user.username for user in found]

    assert await names(" ANN ") == ["ann-lee", "Anna"]
    assert await names("an") == ["ann-lee", "Anna", "Anton"]
    for nothing in ("a", "", "%", "a%", "ann\x00", "ä" * 3, "x" * 30):
        assert await names(nothing) == []


async def test_export_and_deletion_cover_it() -> None:
    ann, bob = await new_user("Ann"), await new_user("Bob")
    await follows.follow(ann.pk, "Bob")
    mine = await sync_to_async(leaving.export)(ann)
    theirs = await sync_to_async(leaving.export)(bob)
    assert [one["name"] for one in mine["follows"]] == ["Bob"]
    assert [one["name"] for one in theirs["followers"]] == ["Ann"]
    assert theirs["notifications_received"][0]["data"] == {"name": "Ann"}
    await sync_to_async(leaving.delete)(ann)
    assert await Follow.objects.acount() == 0
    assert await Notification.objects.acount() == 0, "her name is in none of them"
