"""The contest: player classes, each in an isolated process, on the same boards.

`game.py` is one game, without IO; `players.py` finds the files, `staging.py` copies them;
`sandbox.py` starts the processes in bubblewrap, with the filter of `syscalls.py`; `runner.py` and
`runner.rb` run inside; `link.py` talks to them and has `memory.py` watch them; `series.py` plays;
`secrecy.py` hides the seed.
"""
