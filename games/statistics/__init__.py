"""Statistics of players: the figures of games for one, leaderboards, and the accuracy of moves.

`matches_archived` leads to `recording.py`, which stores the figures of a finished game in the
transaction of the archive and keeps `tallies.py` (sums) and `bests.py` (records, by period) up to
date; `suspicion.py` holds results that no hand can make. `accuracy.py` takes over what the analysis
of a match found (games/analysing), which `worker.py` asks for. docs/statistics.md and
docs/analysis.md describe them.
"""
