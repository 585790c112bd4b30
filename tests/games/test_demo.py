from __future__ import annotations

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import Rating, User
from games.demo.filling import tables
from games.engine.registry import MODES
from games.models import Match
from games.rating import recompute
from games.replay import problems
from tests.running_site import new_site

pytestmark = pytest.mark.django_db


def test_the_demo_is_made_of_real_matches(capsys):
    call_command("demo", matches=len(tables()), password="demo-demo-demo")
    assert "demo-demo-demo" in capsys.readouterr().out
    matches = Match.objects.prefetch_related("seats")
    assert {match.mode for match in matches} == set(MODES)
    for match in matches:
        assert problems(match) == []
        assert match.status == "over"
        assert match.created_at <= match.ended_at
    assert Rating.objects.filter(user__kind="registered").exists()
    assert Rating.objects.filter(user__kind="bot").exists()
    assert recompute()["different"] == 0
    assert Client().login(username="ada", password="demo-demo-demo")
    page = Client().get("/@Ada/")
    assert page.status_code == 200
    with pytest.raises(CommandError, match="accounts already"):
        call_command("demo")


def test_the_demo_stays_out_of_a_database_in_use():
    User.objects.create_user("anna")
    with pytest.raises(CommandError, match="--force"):
        call_command("demo")
    User.objects.create_user("ADA")
    with pytest.raises(CommandError, match="taken"):
        call_command("demo", force=True)
    assert User.objects.count() == 2


def test_the_demo_fills_a_fresh_database_that_nothing_has_prepared(tmp_path):
    site = new_site(tmp_path)
    names = "print(*User.objects.values_list('username', flat=True))"
    try:
        assert "1 matches played." in site.manage("demo", "--matches", "1")
        assert "Ada" in site.python(f"from accounts.models import User; {names}")
    finally:
        site.stop()
