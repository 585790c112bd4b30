"""Boards without guessing, made before a match needs them.

`dealer.py` makes boards in a process of its own, `desk.py` serves those who ask for one now,
`pool.py` keeps a supply in Redis, and `deals.py` decides which match gets a board from it.
"""
