"""What other apps may listen to.

`match_archived(match, outcome)`: sent once per match, inside the transaction that stores its
result; what a receiver writes is stored with it or not at all. `match` is the `Match` row with its
seats, `outcome` a `games.engine.game.Outcome`. A receiver that raises keeps the match from being
archived, and is asked again a little later.
"""

from django.dispatch import Signal

match_archived = Signal()
