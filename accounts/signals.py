"""What other apps may listen to.

`access_ended(user_id, session_key=None, token_id=None)`: somebody may not be here any more. With a
session key: that session has ended. With a token id: that token was revoked. With neither: all of
the user's access has ended (banned, deactivated, password changed). Send it on commit.
"""

from django.dispatch import Signal

access_ended = Signal()
