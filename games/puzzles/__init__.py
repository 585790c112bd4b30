"""Puzzles: positions from finished matches in which a player missed a proof or the better guess.

`position.py`, `cutting.py`, `making.py`, `winning.py` and `selfplay.py` are pure and make puzzles;
`minting.py` has the worker make them from matches, in a process that computes; `solving.py` and
`storm.py` hand them out and judge the answers. docs/puzzles.md describes it all.
"""
