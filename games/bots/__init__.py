"""Programs that play: the solver, boards without guessing, and the house bots.

`roster.py` names the house bots, `minds/` decides for them (a view in, an action out: they see what
a player in that seat sees, and no more), `house.py` sits them down. `solver/` and `noguess.py` know
nothing of matches.
"""
