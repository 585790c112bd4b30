"""Signals that other apps may listen to.

`access_ended(user_id, session_key=None, token_id=None)`: a user's access has ended. With a
session key: that session has ended. With a token id: that token was revoked. With neither: all of
the user's access has ended (banned, deactivated, password changed). Send it on commit.

`exporting(user)`: a user takes their data along. A receiver returns its part, a dict of names and
plain JSON values.

`deleting(user)`: a user is about to be deleted, in this transaction. A receiver makes what has to
stay anonymous, or raises `NotNow`.
"""

from django.dispatch import Signal

access_ended = Signal()
exporting = Signal()
deleting = Signal()


class NotNow(Exception):
    """An account can't be deleted at this moment; the text says why."""
