"""The fast lane: live sockets past the per-message ASGI machinery. See docs/decisions/lane.md.

Application side: `from games.live.lane import Limits, Link, open_link`.
Server side: uvicorn's `ws` setting is `"games.live.lane.protocol:LaneProtocol"`.
"""

from games.live.lane.link import Limits, Link
from games.live.lane.opening import open_link

__all__ = ["Limits", "Link", "open_link"]
