"""Signals that other apps may listen to.

`matches_archived(matches)`: sent inside the transaction that stores the results of matches that
ended together; what a receiver writes is stored with them or not at all, once per match. `matches`
are the `Match` rows with their seats, in the order of their ends. When a receiver raises, the
transaction is rolled back, each match gets one of its own, and those that still fail are tried
again a little later.
"""

from django.dispatch import Signal

matches_archived = Signal()

SEALED_SECONDS = 6 * 3600
"""For how long a board of a solo arena stays secret after a match on it began: no window is longer
(lobby/tournaments/making.py)."""
