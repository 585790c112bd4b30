"""The Area Attack text protocol: `codec.py` reads and writes messages, `session.py` is one client's
conversation, `board.py` what that client has been told of the board and `starts.py` which starts a
room takes, all without IO. The gateway in `lobby.text` drives the session."""

from typing import Final

from games.engine.text import Rooms, TextProtocol

from . import codec, starts
from .session import Session

TEXT: Final = TextProtocol(
    session=Session,
    rooms=Rooms(options=codec.options, check_choice=starts.check, opening=starts.opening),
    # Bursts of claims are part of the game, and may arrive in heaps when a network was busy; floods
    # are sent cell by cell.
    messages_per_second=50,
    burst=150,
    outbox=30_000,
)
