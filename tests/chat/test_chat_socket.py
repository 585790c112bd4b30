"""A word to the opponent over the lobby socket."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from accounts import leaving
from accounts.models import User
from games.live.setup import SeatInfo
from games.live.start import create_match
from games.models import Match
from games.moderation import enforcement
from games.moderation.models import Report
from lobby import protocol
from lobby.chat import matches, retention, rooms, speaking
from lobby.chat.hearing import Hearing
from lobby.chat.models import Line, ReportedLine
from lobby.chat.rooms import Rights
from lobby.errors import LobbyError
from lobby.models import Block
from lobby.tournaments.models import Tournament
from tests.lobby.flow import until
from tests.lobby.sockets import Visitor, new_user, visit
from tests.tournaments.making import new_tournament

pytestmark = pytest.mark.django_db(transaction=True)


async def match_of(*users: User, source: str = "queue", mode: str = "race", **options: Any) -> str:
    seats = [SeatInfo(user.pk, user.username, user.kind) for user in users]
    return await create_match(mode, seats, options, rated=False, source=source)


async def people(*names: str, kind: str = "registered") -> list[User]:
    return [await new_user(name, kind) for name in names]


async def enter(there: Visitor, room: str) -> dict[str, Any]:
    await there.say(type="chat_open", room=room)
    return await there.hear("chat_room", room=room)


async def phrase(there: Visitor, room: str, code: str, key: str = "k1") -> dict[str, Any]:
    await there.say(type="chat", room=room, key=key, phrase=code)
    return await there.hear("chat_line", key=key)


async def ended(match_id: str, ago: timedelta = timedelta()) -> None:
    await Match.objects.filter(pk=match_id).aupdate(status="over", ended_at=timezone.now() - ago)


async def test_a_phrase_is_stored_then_heard_by_both_and_said_once():
    ann, bob = await people("Ann", "Bob")
    room = f"match:{await match_of(ann, bob)}"
    async with visit(ann) as one, visit(bob) as other:
        about = await enter(one, room)
        assert (about["phrases"], about["text"], about["why"]) == (True, False, "chat_phrases")
        await enter(other, room)
        said = await phrase(one, room, "luck")
        assert await Line.objects.filter(pk=said["id"], phrase="luck").aexists()
        heard = await other.hear("chat_line")
        assert (heard["by"], heard["phrase"], heard["room"]) == ("Ann", "luck", room)
        await one.hear("chat_line", id=said["id"])  # its own notice
        again = await phrase(one, room, "luck")  # the client was not sure and says it again
        assert again["id"] == said["id"]
        await phrase(one, room, "fun", "k2")
        assert (await other.hear("chat_line"))["phrase"] == "fun"
        late = await enter(other, room)
        assert [line["phrase"] for line in late["lines"]] == ["luck", "fun"]


async def test_a_tournament_has_a_room_until_an_hour_after_its_end():
    (ann,) = await people("Ann")
    (guest,) = await people("Gast", kind="guest")
    cup = await sync_to_async(new_tournament)("solo")
    room = f"tournament:{cup.pk}"
    async with visit(ann) as one, visit(guest) as other:
        assert (await one.ask("chat_open", room="tournament:none"))["code"] == "no_such_room"
        about = await enter(one, room)
        assert (about["phrases"], about["text"]) == (True, False), "words could tell of the boards"
        await Tournament.objects.filter(pk=cup.pk).aupdate(status="over", ended_at=timezone.now())
        assert (await enter(one, room))["text"]
        assert not (await enter(other, room))["text"]
        await phrase(one, room, "game")
        assert (await other.hear("chat_line"))["phrase"] == "game"
        long_ago = timezone.now() - timedelta(hours=2)
        await Tournament.objects.filter(pk=cup.pk).aupdate(ended_at=long_ago)
        assert (await enter(one, room))["why"] == "chat_closed"


async def test_text_is_for_private_matches_and_players_who_follow_each_other(monkeypatch):
    ann, bob, cleo = await people("Ann", "Bob", "Cleo")
    (guest,) = await people("Gast", kind="guest")
    public = f"match:{await match_of(ann, bob)}"
    private = f"match:{await match_of(cleo, guest, source='invite')}"
    async with visit(ann) as one, visit(cleo) as host, visit(guest) as third:
        say = {"room": public, "key": "k", "text": "hello"}
        assert (await one.ask("chat", **say))["code"] == "chat_phrases"
        monkeypatch.setattr(matches, "may_talk", lambda a, b: {a, b} == {ann.pk, bob.pk})
        await one.say(type="chat", **say)
        assert (await one.hear("chat_line"))["text"] == "hello"
        assert (await enter(host, private))["text"] is True
        assert (await enter(third, private))["text"] is False
        refused = await third.ask("chat", room=private, key="k", text="hello")
        assert refused["code"] == "chat_phrases"


async def test_a_rematch_of_a_private_match_is_private():
    ann, bob = await people("Ann", "Bob")
    first = await match_of(ann, bob, source="invite")
    await ended(first)
    second = await match_of(ann, bob, source="rematch")
    await Match.objects.filter(pk=second).aupdate(previous_id=first)
    async with visit(ann) as one:
        assert (await enter(one, f"match:{second}"))["text"] is True


async def test_strangers_and_games_for_one_have_no_room():
    ann, bob, eve = await people("Ann", "Bob", "Eve")
    match = await match_of(ann, bob)
    alone = await match_of(eve, mode="classic", source="solo", width=9, height=9, mines=10)
    async with visit(eve) as there:
        for room in (f"match:{match}", f"match:{alone}", f"watch:{alone}", "match:nothing", "x:y"):
            assert (await there.ask("chat_open", room=room))["code"] == "no_such_room"
            refused = await there.ask("chat", room=room, key="k", phrase="luck")
            assert refused["code"] == "no_such_room"


async def test_players_read_the_spectators_after_the_end():
    ann, bob, eve = await people("Ann", "Bob", "Eve")
    match = await match_of(ann, bob)
    room = f"watch:{match}"
    async with visit(ann) as player, visit(eve) as watcher:
        assert (await player.ask("chat_open", room=room))["code"] == "chat_after_end"
        assert (await enter(watcher, room))["text"] is True
        await watcher.say(type="chat", room=room, key="k", text="the corner is free")
        await watcher.hear("chat_line")
        refused = await player.ask("chat", room=room, key="k", phrase="luck")
        assert refused["code"] == "chat_after_end"
        await ended(match)
        assert [line["text"] for line in (await enter(player, room))["lines"]] == [
            "the corner is free"
        ]
        await ended(match, timedelta(hours=2))
        closed = await enter(player, room)
        assert (closed["phrases"], closed["text"], closed["why"]) == (False, False, "chat_closed")
        refused = await player.ask("chat", room=room, key="k", phrase="luck")
        assert refused["code"] == "chat_closed"


async def test_spectators_read_each_other_as_late_as_they_see_the_match(monkeypatch):
    ann, bob, eve, fay = await people("Ann", "Bob", "Eve", "Fay")
    room = f"watch:{await match_of(ann, bob)}"
    monkeypatch.setattr(matches, "delay_of", lambda mode, options: 250)
    async with visit(eve) as one, visit(fay) as other:
        await enter(one, room)
        await enter(other, room)
        said = await phrase(one, room, "nice")  # the writer reads it at once
        late = await enter(other, room)
        assert late["lines"] == []
        assert (await other.hear("chat_line"))["id"] == said["id"]


def test_modes_say_how_late_spectators_see_a_match():
    assert matches.delay_of("area-attack", {"freeze_seconds": 3}) == 3000
    assert matches.delay_of("race", {}) == matches.delay_of("gone", {}) == 0


async def test_muted_and_blocked_players_are_not_read():
    ann, bob, eve = await people("Ann", "Bob", "Eve")
    room = f"watch:{await match_of(ann, bob)}"
    (fay,) = await people("Fay")
    await Block.objects.acreate(blocker=fay, blocked=eve)
    async with visit(eve) as one, visit(fay) as other, visit(ann) as third:
        await enter(one, room)
        await enter(other, room)
        await phrase(one, room, "hello", "k1")
        await phrase(other, room, "bye", "k2")
        assert [line["phrase"] for line in (await enter(one, room))["lines"]] == ["hello"]
        assert [line["phrase"] for line in (await enter(other, room))["lines"]] == ["bye"]
        assert one.heard == [] or all(line.get("by") != "Fay" for line in one.heard)
        await third.say(type="chat_mute", name="eve", on=True)
        assert (await third.hear("chat_muted"))["names"] == ["Eve"]
        await third.say(type="chat_mute", name="Eve", on=False)
        assert (await third.hear("chat_muted"))["names"] == []
        assert (await third.ask("chat_mute", name="Ann", on=True))["code"] == "not_yourself"
    await speaking.mute(bob.pk, "Eve", True)
    assert await speaking.hidden_from(bob.pk) == {"Eve"}
    assert await speaking.hidden_from(eve.pk) == {"Fay"}


async def test_a_block_holds_in_rooms_that_are_open_on_either_side(monkeypatch):
    looked: list[str] = []
    look_again = Hearing.look_again

    async def noted(self: Hearing) -> None:
        await look_again(self)
        looked.append(self._player.name)

    monkeypatch.setattr(Hearing, "look_again", noted)
    ann, bob = await people("Ann", "Bob")
    room = f"match:{await match_of(ann, bob)}"
    async with visit(ann) as one, visit(ann) as second, visit(bob) as other:
        for page in (one, second, other):
            await enter(page, room)
        looked.clear()
        await one.say(type="block", name="Bob")
        await one.hear("blocks")

        async def is_told() -> bool:
            return sorted(looked) == ["Ann", "Ann", "Ann", "Bob"]  # the first page twice

        await until(is_told)
        await phrase(other, room, "luck", "k1")
        await phrase(one, room, "fun", "k2")
        for page in (one, second, other):
            await page.say(type="ping", at=1)
            await page.hear("pong")
        assert all(line.get("by") != "Bob" for line in [*one.heard, *second.heard])
        assert all(line.get("by") != "Ann" for line in other.heard)
        assert all(line["type"] != "look_again" for line in other.heard)


async def test_moderators_mute_and_floods_end(monkeypatch):
    ann, bob = await people("Ann", "Bob")
    room = f"match:{await match_of(ann, bob)}"
    most, _seconds = speaking.LIMITS[0]
    async with visit(ann) as one, visit(bob) as other:
        for number in range(most):
            await phrase(one, room, "luck", f"k{number}")
        refused = await one.ask("chat", room=room, key="last", phrase="luck")
        assert (refused["code"], refused["seconds"]) == ("chat_too_fast", 10)
        await sync_to_async(enforcement.impose)(bob, "mute", "spam", None, None)
        assert (await other.ask("chat", room=room, key="k", phrase="luck"))["code"] == "muted"
    assert await Line.objects.acount() == most


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ({"phrase": "insult"}, "no_such_phrase"),
        ({}, "no_such_phrase"),
        ({"phrase": "luck", "text": "both"}, "no_such_phrase"),
        ({"text": "\u200b "}, "chat_empty"),
        ({"text": "x" * 201}, "chat_too_long"),
        ({"text": "see www.example.org"}, "chat_no_links"),
        ({"text": "you bastard"}, "chat_words"),
    ],
)
async def test_bad_lines_are_refused_and_nothing_is_stored(given, code):
    ann, bob = await people("Ann", "Bob")
    room = f"match:{await match_of(ann, bob, source='invite')}"
    async with visit(ann) as one:
        assert (await one.ask("chat", **{"room": room, "key": "k", **given}))["code"] == code
    assert not await Line.objects.aexists()


async def test_a_report_keeps_the_lines_around_it_and_is_made_once():
    ann, bob, eve = await people("Ann", "Bob", "Eve")
    match = await match_of(ann, bob, source="invite")
    room = f"match:{match}"
    async with visit(ann) as one, visit(bob) as other, visit(eve) as stranger:
        before = await phrase(one, room, "luck")
        await other.say(type="chat", room=room, key="k", text="not nice at all")
        cause = await other.hear("chat_line")
        for _ in range(2):
            await one.say(type="chat_report", line=cause["id"])
            assert (await one.hear("chat_reported"))["line"] == cause["id"]
        assert (await one.ask("chat_report", line=before["id"]))["code"] == "not_yourself"
        assert (await stranger.ask("chat_report", line=cause["id"]))["code"] == "no_such_line"
        assert (await one.ask("chat_report", line=10**9))["code"] == "no_such_line"
    report = await Report.objects.aget()
    assert (report.player_id, report.match_id, report.reason) == (bob.pk, match, "chat")
    kept = [row async for row in ReportedLine.objects.order_by("line_id")]
    assert [(row.line_id, row.is_cause) for row in kept] == [
        (before["id"], False),
        (cause["id"], True),
    ]


async def test_old_lines_go_unless_a_report_is_open(settings):
    ann, bob = await people("Ann", "Bob")
    now = timezone.now()
    long_ago = now - timedelta(days=settings.CHAT_DAYS, hours=1)
    _old, needed, new = [
        await Line.objects.acreate(room="match:x", author=ann, key=str(n), phrase="luck", at=at)
        for n, at in enumerate((long_ago, long_ago, now))
    ]
    report = await Report.objects.acreate(reporter=bob, player=ann, reason="chat")
    await ReportedLine.objects.acreate(report=report, line=needed, is_cause=True)
    delete_old = sync_to_async(retention.delete_old)
    assert await delete_old(now) == 1
    assert {line.pk async for line in Line.objects.all()} == {needed.pk, new.pk}
    await Report.objects.aupdate(status="closed")
    assert await delete_old(now) == 1
    assert await delete_old(now) == 0


async def test_the_export_has_what_one_said_and_deletion_takes_it_away():
    ann, bob = await people("Ann", "Bob")
    for user, text in ((ann, "mine"), (bob, "yours")):
        await Line.objects.acreate(room="match:x", author=user, key="k", text=text)
    await speaking.mute(ann.pk, "Bob", True)
    data = await sync_to_async(leaving.export)(ann)
    assert [line["text"] for line in data["chat"]] == ["mine"]
    assert [row["name"] for row in data["chat_mutes"]] == ["Bob"]
    await sync_to_async(leaving.delete)(ann)
    assert [line.text async for line in Line.objects.all()] == ["yours"]


async def test_another_app_opens_rooms(monkeypatch):
    (ann,) = await people("Ann")

    async def rule(player: Any, number: str) -> Rights:
        if number != "7":
            raise LobbyError("no_such_room")
        return rooms.open_to_all(player)

    monkeypatch.setattr(rooms, "RULES", dict(rooms.RULES))
    rooms.provide("tournament", rule)
    async with visit(ann) as one:
        assert (await enter(one, "tournament:7"))["text"] is True
        assert (await one.ask("chat_open", room="tournament:8"))["code"] == "no_such_room"
        await one.say(type="chat_close", room="tournament:7")
        rooms.provide("tournament", lambda player, _id: open_room(player))
        for number in range(4):
            await enter(one, f"tournament:a{number}")
        assert (await one.ask("chat_open", room="tournament:b"))["code"] == "too_many_rooms"


async def open_room(player: Any) -> Rights:
    return rooms.open_to_all(player)


def test_the_messages_are_bounded():
    for raw in (
        b'{"type":"chat_open","room":"' + b"x" * 60 + b'"}',
        b'{"type":"chat_report","line":0}',
        b'{"type":"chat_report","line":1e400}',
        b'{"type":"chat","room":"match:a","key":"","phrase":"luck"}',
        b'{"type":"chat","room":"match:a","key":"a b","phrase":"luck"}',
        b'{"type":"chat","room":"match:../x","key":"a","phrase":"luck"}',
        b'{"type":"chat","room":"match:a","key":"a","text":"' + b"x" * 1001 + b'"}',
    ):
        with pytest.raises(LobbyError) as refused:
            protocol.decode(raw)
        assert refused.value.code == "bad_message"
