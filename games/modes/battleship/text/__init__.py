"""The Battleship text protocol: `codec.py` reads and writes lines, `session.py` is one client's
conversation, both without IO. The gateway in `lobby.text` drives the session."""

from typing import Final

from games.engine.text import TextProtocol

from .session import Session

TEXT: Final = TextProtocol(session=Session, tcp=True)
