"""Drives a running site with visitors, players and spectators: `make load`.

Everybody here uses the site as browsers do: pages over HTTP, `/ws/lobby/` and `/ws/match/<id>/`.
Players decide with the house bots' own minds, from what the server tells their seat.
"""
