"""The Area Attack text protocol: a small lobby, then a match, one message to a WebSocket frame.

`codec.py` reads and writes messages, `session.py` is one client's conversation and `board.py` what
that client has been told of the board: all without IO. `rooms.py` keeps the games that have not
started yet in Redis; `driver.py` carries out what the session asks for.
"""
