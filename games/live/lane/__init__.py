"""The fast lane: live sockets past the per-message ASGI machinery. See docs/decisions/lane.md.

Application side: `from games.live.lane import Limits, Link, open_link`.
Server side: uvicorn's `ws` setting is `"games.live.lane.protocol:LaneProtocol"`.
"""

from games.live.lane.link import Limits, Link
from games.live.lane.opening import attach, open_link
from games.live.lane.plain import PlainLink

__all__ = ["Limits", "Link", "PlainLink", "attach", "open_link"]
