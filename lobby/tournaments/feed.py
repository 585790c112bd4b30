"""What pages are told of a tournament: first everything, then the lines that change.

The worker computes the standings from the rows whenever the tournament's version has grown, keeps
them in Redis, and publishes the difference with the version it starts from. A page that misses one
sees that the versions don't match, and asks for everything again.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

import msgspec

from games.redis import redis, sync_redis
from lobby import creation, notices
from lobby.store import named
from lobby.tournaments import solo, waves
from lobby.tournaments.database import in_thread
from lobby.tournaments.errors import TournamentError
from lobby.tournaments.models import Attempt, Entrant, Pairing, Tournament

Message = dict[str, Any]
KEPT_SECONDS: Final = 3600
COMPUTED_SECONDS: Final = 10
SHEET: Final = 20
"""Latest games that a line shows."""
MATCHES: Final = 8
"""Matches of the leaders that are listed."""


def address_of(tournament_id: str) -> str:
    return f"tournament.{tournament_id}"


async def last(tournament_id: str) -> Message:
    """The whole picture as it was published last; raises TournamentError."""
    if len(tournament_id) == 12 and tournament_id.isascii() and tournament_id.isalnum():
        raw = await redis().get(named(f"shown:{tournament_id}"))
        if raw is not None:
            found: Message = msgspec.json.decode(raw)
            return found
        computed = await in_thread(shown)(tournament_id)
        if computed is not None:
            return computed
    raise TournamentError("no_such_tournament")


def shown(tournament_id: str) -> Message | None:
    """The same for pages and the API: at most a second behind the rows while a worker runs. What
    is computed here is kept for a moment, unless the worker has published meanwhile."""
    key = named(f"shown:{tournament_id}")
    raw = sync_redis().get(key)
    if isinstance(raw, bytes):
        found: Message = msgspec.json.decode(raw)
        return found
    computed = picture_of(tournament_id)
    if computed is not None:
        sync_redis().set(key, msgspec.json.encode(computed), nx=True, ex=COMPUTED_SECONDS)
    return computed


async def publish(tournament_id: str) -> int | None:
    """Tell the pages what has changed since the last call, by whichever worker; returns the
    version that they have now."""
    key = named(f"shown:{tournament_id}")
    new = await in_thread(picture_of)(tournament_id)
    if new is None:
        return None
    raw = await redis().set(key, msgspec.json.encode(new), ex=KEPT_SECONDS, get=True)
    old = None if raw is None else msgspec.json.decode(raw)
    # Of a picture that is kept already, pages may have heard nothing: a worker died before it told
    # them, or a request computed it.
    message = (None if old is None else difference(old, new)) or new
    await notices.tell(address_of(tournament_id), message)
    return int(new["version"])


async def shown_version(tournament_ids: Sequence[str]) -> dict[str, int]:
    """The version of each that was published last."""
    if not tournament_ids:
        return {}
    raw = await redis().hmget(named("tournaments"), tournament_ids)
    return {
        name: int(version)
        for name, version in zip(tournament_ids, raw, strict=True)
        if version is not None
    }


async def note_version(tournament_id: str, version: int) -> None:
    await redis().hset(named("tournaments"), tournament_id, version)


async def forget_versions(keep: Sequence[str]) -> None:
    """Of tournaments that are over for good nothing is kept."""
    known = [raw.decode() for raw in await redis().hkeys(named("tournaments"))]
    if gone := [name for name in known if name not in set(keep)]:
        await redis().hdel(named("tournaments"), *gone)


def difference(old: Message, new: Message) -> Message | None:
    """The message that makes `old` into `new`; None when nothing is to be told."""
    if old["version"] == new["version"]:
        return None
    before = {row["id"]: row for row in old["rows"]}
    after = {row["id"]: row for row in new["rows"]}
    facts = {
        name: value
        for name, value in new.items()
        if name not in ("rows", "version") and old.get(name) != value
    }
    return {
        **facts,
        "type": "tournament",
        "tournament": new["tournament"],
        "from": old["version"],
        "version": new["version"],
        "changed": [row for row in new["rows"] if before.get(row["id"]) != row],
        "gone": [one for one in before if one not in after],
    }


def applied(old: Message, change: Message) -> Message:
    """What a page has after this difference; the page's own code does the same."""
    if "changed" not in change:
        return change
    rows = {row["id"]: row for row in old["rows"] if row["id"] not in set(change["gone"])}
    rows |= {row["id"]: row for row in change["changed"]}
    facts = {
        name: value for name, value in change.items() if name not in ("from", "changed", "gone")
    }
    ordered = sorted(rows.values(), key=lambda row: (row["rank"], row["id"]))
    return {**old, **facts, "rows": ordered}


def picture_of(tournament_id: str) -> Message | None:
    """Everything that pages show, computed from the stored rows."""
    tournament = Tournament.objects.filter(pk=tournament_id).first()
    if tournament is None:
        return None
    # A player who withdrew before the first match is nobody's opponent.
    entrants = list(tournament.entrants.order_by("pk"))
    if tournament.kind == Tournament.Kind.SOLO:
        attempts = Attempt.objects.filter(board__tournament=tournament).select_related("board")
        lines = solo.table(tournament, entrants, list(attempts))
        going: list[Pairing] = []
    else:
        games = waves.games_of(tournament)
        table = waves.table(tournament, entrants, games)
        lines = [line.as_json() for line in table]
        going = list(tournament.pairings.filter(state=Pairing.State.OPEN))
    by_id = {one.pk: one for one in entrants}
    rows = [_row(line, by_id[line.pop("entrant")]) for line in lines]
    rows = [row for row in rows if row["state"] != Entrant.State.WITHDRAWN or row["games"]]
    rows.sort(key=lambda row: (row["rank"], row["id"]))
    return {
        "type": "tournament",
        "tournament": tournament.pk,
        "version": tournament.version,
        "status": tournament.status,
        "reason": tournament.reason,
        "starts": _ms(tournament.starts_at),
        "ends": _ms(tournament.ends_at),
        "round": tournament.number if tournament.kind == Tournament.Kind.SWISS else None,
        "rounds": tournament.rounds or None,
        "rows": rows,
        "matches": _matches(tournament, going, rows),
        "boards": list(tournament.solo_boards.order_by("number").values("number", "seal")),
    }


def _row(line: Message, entrant: Entrant) -> Message:
    row: Message = {
        **line,
        "id": entrant.pk,
        "name": entrant.name,
        "kind": entrant.kind,
        "rating": round(entrant.rating),
        "state": entrant.state,
        "match": entrant.match or None,
    }
    if "sheet" in row:
        row["sheet"] = list(row["sheet"][-SHEET:])
        row["ties"], row["marks"] = list(row["ties"]), list(row["marks"])
    return row


def _matches(
    tournament: Tournament, going: Sequence[Pairing], rows: Sequence[Message]
) -> list[Message]:
    """Those of the leaders, the best first."""
    by_id = {row["id"]: row for row in rows}
    listed = []
    for one in going:
        sides = [by_id[side] for side in (one.one_id, one.two_id) if side in by_id]
        if one.match and len(sides) == 2:
            listed.append((min(side["rank"] for side in sides), one.pk, one.match, sides))
    return [
        {
            "match": match,
            "url": creation.url_of(match),
            "mode": tournament.mode,
            "players": [
                {"name": side["name"], "kind": side["kind"], "rank": side["rank"]} for side in sides
            ],
        }
        for _rank, _pk, match, sides in sorted(listed, key=lambda each: each[:2])[:MATCHES]
    ]


def _ms(at: datetime | None) -> int | None:
    return None if at is None else int(at.timestamp() * 1000)
