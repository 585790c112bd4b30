"""Signals that other apps may listen to.

`matches_archived(matches, logs)`: sent inside the transaction that stores the results of matches
that ended together; what a receiver writes is stored with them or not at all, once per match.
`matches` are the `Match` rows with their seats, in the order of their ends; `logs` has the final
state and the entries of each, by its id, so that nobody need play it again. When a receiver raises,
the transaction is rolled back, each match gets one of its own, and those that still fail are tried
again a little later.

`match_computed(match_id, part, told)`: sent inside the transaction that stores a result of
games/analysing; `told()` returns it as a dict. A receiver must bear to get the same result twice.
"""

from django.dispatch import Signal

matches_archived = Signal()
match_computed = Signal()

SEALED_SECONDS = 6 * 3600
"""For how long a board of a solo arena stays secret after a match on it began: no window is longer
(lobby/tournaments/making.py)."""
