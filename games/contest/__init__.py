"""The contest: player classes, each in an isolated process, on the same boards.

`game.py` is one game, without IO; `players.py` finds the files; `sandbox.py` starts the processes,
`confine.py` is the isolation where bubblewrap is missing; `runner.py` and `runner.rb` run inside;
`link.py` talks to them; `series.py` plays.
"""
