"""The AI manager: a program plays minesweeper over two pipes, or over TCP.

`session.py` is the protocol, without IO; `play.py` connects one AI to it; `series.py` starts AIs
and counts.
"""
