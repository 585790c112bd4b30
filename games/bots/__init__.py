"""The tool kit of bots: the solver, boards without guessing, characters, and how moves are judged.

A mode's own bot is `bot.py` in its folder. It decides from a seat's view: it sees what a player in
that seat sees, and no more.
"""
