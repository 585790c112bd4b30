"""The text gateway: any mode with a text protocol is played over TCP or a WebSocket.

A mode's `MODE.text` brings the pure part, one client's session. `queued.py` drives sessions of
clients that queue for a match, `roomed.py` sessions of clients that gather in named rooms
(`rooms.py`); `tcp.py` and `websocket.py` are the transports.
"""
