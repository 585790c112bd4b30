"""Reports of a line, with the lines around it, for the moderators' queue."""

from __future__ import annotations

from typing import Final

from asgiref.sync import sync_to_async
from django.db import transaction

from games.models import Match
from games.moderation.models import Report
from games.moderation.reporting import too_many
from lobby.chat import rooms
from lobby.chat.models import Line, ReportedLine
from lobby.errors import LobbyError
from lobby.players import Player

BEFORE: Final = 10
AFTER: Final = 5
"""Lines of the same room that a moderator reads around the reported one."""
OF_MATCHES: Final = frozenset({"match", "watch"})


async def report(player: Player, line_id: int) -> None:
    """Tell the moderators of a line that this player can read; again: nothing more happens. Raises
    LobbyError."""
    line = await Line.objects.filter(pk=line_id).select_related("author").afirst()
    if line is None or player.user_id is None:
        raise LobbyError("no_such_line")
    try:
        await rooms.rights(player, line.room)
    except LobbyError:
        raise LobbyError("no_such_line") from None
    if line.author_id == player.user_id:
        raise LobbyError("not_yourself", "You can't report yourself.")
    await _store(player.user_id, line)


@sync_to_async
def _store(reporter_id: int, line: Line) -> None:
    same = ReportedLine.objects.filter(
        line=line, is_cause=True, report__reporter_id=reporter_id, report__status=Report.Status.OPEN
    )
    if same.exists():
        return
    if too_many(reporter_id):
        raise LobbyError("too_many_reports")
    kind, _, number = line.room.partition(":")
    match = Match.objects.filter(pk=number).only("pk").first() if kind in OF_MATCHES else None
    here = Line.objects.filter(room=line.room)
    around = [
        *here.filter(pk__lt=line.pk).order_by("-pk")[:BEFORE],
        line,
        *here.filter(pk__gt=line.pk).order_by("pk")[:AFTER],
    ]
    with transaction.atomic():
        made = Report.objects.create(
            reporter_id=reporter_id, player=line.author, match=match, reason=Report.Reason.CHAT
        )
        ReportedLine.objects.bulk_create(
            ReportedLine(report=made, line=one, is_cause=one.pk == line.pk) for one in around
        )
