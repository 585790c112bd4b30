"""A running match as its log in Redis says it is: what the pages are compared with."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from games.engine.game import View, Viewer
from games.live.entry import Entry
from games.live.match_state import MatchEvent, MatchState
from tests.running_site import RunningSite

READ = """
import msgspec
from games.live.row import entries_of, from_stream
from games.redis import key, sync_redis
rows = sync_redis().execute_command("XRANGE", key("m:{{{match}}}:log"), "-", "+")
rows = [from_stream([one, [part for pair in told.items() for part in pair]]) for one, told in rows]
entries = [entry for entry in entries_of(rows) if entry.seq >= {next}]
print(msgspec.json.encode(entries).decode())
"""


class LoggedMatch:
    """Replays the log of a match beside the site, without becoming one of its hosts."""

    def __init__(self, site: RunningSite, address: str) -> None:
        self._site = site
        self._id = address.strip("/").rsplit("/", 1)[1]
        first, *rest = self._read(0)
        self.course = MatchState(first)
        self.entries = [first]
        self.said: list[MatchEvent] = []
        """Everything that viewers were told so far."""
        self._apply(rest)

    def _read(self, next_seq: int) -> list[Entry]:
        code = READ.format(match=self._id, next=next_seq)
        return msgspec.convert(json.loads(self._site.python(code)), list[Entry])

    def _apply(self, entries: list[Entry]) -> None:
        for entry in entries:
            self.entries.append(entry)
            self.said += self.course.apply(entry)

    def read(self) -> None:
        """Apply what was appended since."""
        self._apply(self._read(self.course.next))

    @property
    def state(self) -> Any:
        """The mode's own state, which `read` changes in place."""
        return self.course.state.game

    @property
    def over(self) -> bool:
        return self.course.outcome() is not None

    def view(self, viewer: Viewer) -> View:
        return self.course.view(viewer)
