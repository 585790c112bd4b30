"""The models of moderation moved from the app `games` to an app of their own. Nothing is lost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models.signals import post_migrate

from accounts.models import User
from games.moderation.models import DeviceSeen, Report, Sanction, StaffAct

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]

BEFORE = [("games", "0006_gone_skill"), ("moderation", None)]
AFTER = [("games", "0007_moderation_leaves"), ("moderation", "0001_initial")]


def migrate(to: list[tuple[str, str | None]]) -> Any:
    executor = MigrationExecutor(connection)
    state = executor.migrate(to)
    ContentType.objects.clear_cache()
    return state.apps


@pytest.fixture
def old_site() -> Iterator[Any]:
    """The models as they were before the move; afterwards the site is as it is now."""
    yield migrate(BEFORE)
    graph = MigrationExecutor(connection).loader.graph
    migrate(graph.leaf_nodes())


def permission(name: str) -> Permission:
    label, _, codename = name.partition(".")
    return Permission.objects.get(content_type__app_label=label, codename=codename)


def test_rows_permissions_and_groups_survive(old_site: Any) -> None:
    anna, ben = (User.objects.create_user(username=name) for name in ("anna", "ben"))
    old = {name: old_site.get_model("games", name) for name in ("Sanction", "Report", "StaffAct")}
    ban = old["Sanction"].objects.create(user_id=ben.pk, by_id=anna.pk, kind="ban", reason="why")
    report = old["Report"].objects.create(player_id=ben.pk, reporter_id=anna.pk, reason="name")
    act = old["StaffAct"].objects.create(by_id=anna.pk, by_name="anna", act="ban", target="ben")
    seen = old_site.get_model("games", "DeviceSeen").objects.create(
        user_id=ben.pk, device_hash="d" * 64
    )
    assert not Permission.objects.filter(content_type__app_label="moderation").exists()
    helpers = Group.objects.create(name="helpers")
    helpers.permissions.add(permission("games.kick"))
    anna.user_permissions.add(permission("games.view_report"))

    migrate(AFTER)

    assert Sanction.objects.get().pk == ban.pk
    assert (Sanction.objects.get().user, Sanction.objects.get().by) == (ben, anna)
    assert Report.objects.get().pk == report.pk
    assert StaffAct.objects.get().pk == act.pk
    assert DeviceSeen.objects.get().pk == seen.pk
    assert helpers.permissions.get() == permission("moderation.kick")
    ben.groups.add(helpers)
    assert User.objects.get(pk=ben.pk).has_perm("moderation.kick")
    assert User.objects.get(pk=anna.pk).has_perm("moderation.view_report")
    assert not ContentType.objects.filter(app_label="games", model="sanction").exists()
    # The tables are the same ones, and take new rows.
    assert Sanction.objects.create(user=ben, kind="mute", reason="again").pk != ban.pk


def test_migrating_app_by_app_keeps_permissions(old_site: Any) -> None:
    """After `migrate games` alone, Django has already made the new content types."""
    helpers = Group.objects.create(name="helpers")
    helpers.permissions.add(permission("games.kick"))
    migrate(AFTER[:1])
    config = apps.get_app_config("moderation")
    post_migrate.send(config, app_config=config, using="default", verbosity=0, interactive=False)
    migrate(AFTER)
    assert helpers.permissions.get() == permission("moderation.kick")
