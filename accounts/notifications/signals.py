"""`notified(user_id, kind, data, url, tag, message)`: a player was notified; sent on commit.
`message` is the notification as pages and programs get it, None for a kind that is not kept."""

from django.dispatch import Signal

notified = Signal()
