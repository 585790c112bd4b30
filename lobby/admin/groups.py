"""The three groups of staff. Made after every migration: what the table names is given, what an
operator added by hand stays."""

from __future__ import annotations

from typing import Any, Final

from django.apps import apps
from django.contrib.auth.management import create_permissions
from django.db.models.signals import post_migrate
from django.dispatch import receiver

LOOK: Final = (
    "moderation.look",
    "accounts.view_user",
    "accounts.view_rating",
    "accounts.view_ratingchange",
    "games.view_match",
    "games.view_seat",
    "tournaments.view_tournament",
    "tournaments.view_entrant",
    "tournaments.view_pairing",
    "moderation.view_report",
    "moderation.view_sanction",
    "moderation.view_staffact",
    "moderation.view_deviceseen",
    "statistics.view_sologame",
)
MODERATE: Final = (
    *LOOK,
    "moderation.kick",
    "moderation.mute",
    "moderation.ban",
    "moderation.abort",
    "moderation.change_report",
    "chat.view_line",
    "statistics.change_sologame",
)
OPERATE: Final = (
    *MODERATE,
    "moderation.announce",
    "moderation.queues",
    "accounts.view_token",
    "accounts.delete_token",
    "accounts.change_user",
    "lobby.view_block",
)
GROUPS: Final = {"support": LOOK, "moderator": MODERATE, "operator": OPERATE}


@receiver(post_migrate, dispatch_uid="games.make_groups")
def make_groups(sender: Any, using: str = "default", **kwargs: Any) -> None:
    # When the last of the apps that have the permissions is done.
    if sender.label != "lobby":
        return
    for label in (
        "accounts",
        "games",
        "moderation",
        "statistics",
        "lobby",
        "chat",
        "tournaments",
    ):
        create_permissions(apps.get_app_config(label), verbosity=0, using=using)
    from django.contrib.auth.models import Group, Permission

    known = {
        f"{permission.content_type.app_label}.{permission.codename}": permission
        for permission in Permission.objects.using(using).select_related("content_type")
    }
    for name, wanted in GROUPS.items():
        group, _made = Group.objects.using(using).get_or_create(name=name)
        group.permissions.add(*(known[one] for one in wanted))
