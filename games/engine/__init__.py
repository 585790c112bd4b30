"""The rules of every game: pure, deterministic, standard library only.

Nothing here reads a clock, a file, a socket or `random`. Time and seed come in as values; what
goes out is events that name their audience. See `game.py` for the interface.
"""
