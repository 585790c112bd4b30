"""Every notification goes to the player's devices, too, if its kind says so."""

from __future__ import annotations

from typing import Any

from django.dispatch import receiver

from accounts.notifications.kinds import KINDS
from accounts.notifications.signals import notified
from games.push import jobs


@receiver(notified, dispatch_uid="push.notified")
def to_devices(
    sender: Any, user_id: int, kind: str, data: dict[str, str], url: str, tag: str, **kwargs: Any
) -> None:
    if KINDS[kind].seconds:
        jobs.add_now([jobs.Job(kind=kind, user=user_id, url=url, tag=tag, fields=data)])
