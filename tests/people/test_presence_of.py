"""Who is here, and where they play: only for those who may know, and only what changed."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from asgiref.sync import sync_to_async

from accounts import following, preferences
from games.redis import redis
from lobby import presence
from lobby.people.presence_of import whereabouts
from lobby.people.watching import Watching, watching
from lobby.players import player_of
from lobby.store import named, now_ms
from tests.lobby.flow import matched
from tests.lobby.sockets import new_user, visit

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.asyncio]


class Page:
    def __init__(self) -> None:
        self.said: list[dict[str, Any]] = []

    def say(self, message: dict[str, Any]) -> None:
        self.said.append(message)

    def news(self) -> list[tuple[str, bool, str | None]]:
        """What was said since the last look."""
        said, self.said = self.said, []
        players = [player for message in said for player in message["players"]]
        return [(one["name"], one["online"], one["mode"]) for one in players]


async def test_a_page_hears_of_changes_alone() -> None:
    ann, bob, cyd = [await new_user(name) for name in ("Ann", "Bob", "Cyd")]
    for other in (bob, cyd):
        await sync_to_async(following.follow)(ann, other)
    page, here = Page(), Watching()
    try:
        await presence.seen(player_of(bob))
        await here.enter(page, ann.pk)
        assert page.said[0]["all"]
        assert page.news() == [("Bob", True, None), ("Cyd", False, None)]
        await here.tell_changes()
        assert page.news() == []
        await presence.seen(player_of(cyd))
        plan, _tickets = await matched(player_of(bob), player_of(await new_user("Dan")))
        await here.tell_changes()
        assert page.news() == [("Bob", True, "claim"), ("Cyd", True, None)]
        found = (await whereabouts([bob.pk], await now_ms()))[bob.pk]
        assert found.url == f"/match/{plan.match}/"
        here.leave(page)
        await presence.gone(player_of(cyd), 0)
        await here.tell_changes()
        assert page.said == []
    finally:
        await here.close()


@pytest.mark.parametrize(
    "private", [{"is_private": True}, {"source": "invite"}], ids=["unlisted", "invitation"]
)
async def test_the_address_of_a_private_match_is_not_told(private: dict[str, Any]) -> None:
    ann, bob = player_of(await new_user("Ann")), player_of(await new_user("Bob"))
    await presence.seen(bob)
    plan, _tickets = await matched(ann, bob)
    hidden = msgspec.structs.replace(plan, **private)
    await redis().hset(named("made"), plan.match, hidden.encoded())
    found = (await whereabouts([bob.user_id or 0], await now_ms()))[bob.user_id or 0]
    assert (found.playing, found.mode, found.url) == (True, "claim", "")


@pytest.mark.parametrize(("audience", "shown"), [("nobody", False), ("followed", True)])
async def test_settings_decide_who_sees_it(audience: str, shown: bool) -> None:
    ann, bob = await new_user("Ann"), await new_user("Bob")
    await sync_to_async(following.follow)(ann, bob)
    await sync_to_async(following.follow)(bob, ann)
    await sync_to_async(preferences.change)(bob.pk, {"online": audience})
    await presence.seen(player_of(bob))
    async with visit(ann) as there:
        await there.hear("hello")
        await there.say(type="people", on=True)
        heard = await there.hear("people")
        assert [one["name"] for one in heard["players"]] == (["Bob"] if shown else [])
    assert not watching().is_looking, "nobody looks any more"
