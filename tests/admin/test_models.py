"""The model pages: who sees them, what is on them, and how many queries they take."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib import admin
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import Rating, RatingChange, Token, User
from games.models import Match, Seat
from games.moderation.models import DeviceSeen, Report, Sanction, StaffAct
from games.statistics.models import SoloGame

MODELS = [
    User,
    Rating,
    RatingChange,
    Token,
    Match,
    Seat,
    Report,
    Sanction,
    DeviceSeen,
    StaffAct,
    SoloGame,
]


def rows(number: int, start: int = 0) -> None:
    """So many rows of every model, each with its own people."""
    for i in range(start, start + number):
        user = User.objects.create(username=f"player{i}", email=f"p{i}@example.org")
        other = User.objects.create(username=f"other{i}")
        match = Match.objects.create(
            id=f"match{i:07}", mode="race", rules_version=1, rated=True, source="queue"
        )
        for number_, one in enumerate((user, other)):
            Seat.objects.create(
                match=match, number=number_, user=one, name=one.username, kind="registered"
            )
        Rating.objects.create(user=user, mode="race", mu=25, sigma=8, shown=1000 + i)
        RatingChange.objects.create(
            user=user, mode="race", match_id=match.pk, mu=25, sigma=8, before=1, after=2
        )
        Token.objects.create(user=user, name="bot", digest=f"digest-of-{i}", scopes=["play"])
        Report.objects.create(reporter=other, player=user, match=match, reason="cheating")
        Sanction.objects.create(user=user, kind="mute", reason="spam", by=other)
        DeviceSeen.objects.create(user=user, device_hash=f"{i:064}")
        SoloGame.objects.create(
            match=match, user=user, mode="classic", board="expert", no_guess=False, won=True,
            ended_at=timezone.now(), aided=False, ranked=True, state="held", why="too_fast",
            time_ms=1000, bbbv=100, bbbv_done=100, reveals=100, flags=0, chords=0,
        )  # fmt: skip
        StaffAct.objects.create(by=other, by_name=other.username, act="mute", target=user.username)


def list_page(model: type) -> str:
    return reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")


@pytest.fixture
def boss(client, db):
    user = User.objects.create_superuser("the-boss", "boss@example.org", "x")
    client.force_login(user)
    return client


def test_lists_take_no_query_per_row(boss):
    rows(5)
    for model in MODELS:
        boss.get(list_page(model))  # what is asked once per process is asked now
    few = {model: queries(boss, model) for model in MODELS}
    rows(45, start=5)
    many = {model: queries(boss, model) for model in MODELS}
    assert many == few
    assert max(many.values()) <= 12


def queries(client, model: type) -> int:
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(list_page(model))
    assert answer.status_code == 200
    assert len(answer.context["cl"].result_list) == min(50, model.objects.count())
    return len(asked)


@pytest.mark.parametrize("model", MODELS)
def test_every_model_can_be_searched_and_filtered(boss, model):
    rows(1)
    page = boss.get(list_page(model), {"q": "player0"})
    assert page.status_code == 200
    options = admin.site.get_model_admin(model)
    assert options.search_fields
    assert options.list_filter or model is DeviceSeen


@pytest.mark.parametrize("model", MODELS)
def test_every_row_has_a_page_that_keeps_secrets(boss, model):
    rows(1)
    row = model.objects.order_by("pk").first()
    address = reverse(
        f"admin:{model._meta.app_label}_{model._meta.model_name}_change", args=[row.pk]
    )
    page = boss.get(address)
    assert page.status_code == 200
    assert "digest-of-" not in page.content.decode()


def test_logs_and_records_cannot_be_changed_even_by_a_superuser(boss):
    rows(1)
    for model in (Match, Seat, StaffAct, Sanction, Rating, RatingChange, DeviceSeen):
        row = model.objects.order_by("pk").first()
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        assert boss.post(reverse(f"{name}_change", args=[row.pk]), {}).status_code == 403
        assert boss.post(reverse(f"{name}_delete", args=[row.pk])).status_code == 403
        assert boss.get(reverse(f"{name}_add")).status_code == 403


def test_a_moderator_closes_a_report_and_changes_nothing_else(client, member):
    rows(1)
    client.force_login(member("moderator"))
    report = Report.objects.get()
    client.post(
        reverse("admin:moderation_report_change", args=[report.pk]),
        {"status": "closed", "text": "changed"},
    )
    report.refresh_from_db()
    assert (report.status, report.text) == ("closed", "")


def test_revoking_a_token_in_the_admin_ends_its_access(
    client, member, django_capture_on_commit_callbacks
):
    from accounts.signals import access_ended

    rows(1)
    client.force_login(member("operator"))
    token, heard = Token.objects.get(), []
    token_id = token.pk

    def hear(**told):
        heard.append(told["token_id"])

    access_ended.connect(hear)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            client.post(reverse("admin:accounts_token_delete", args=[token.pk]), {"post": "yes"})
    finally:
        access_ended.disconnect(hear)
    assert not Token.objects.exists()
    assert heard == [token_id]


def test_only_superusers_say_who_is_staff(client, member):
    operator = member("operator")
    client.force_login(operator)
    address = reverse("admin:accounts_user_change", args=[operator.pk])
    client.post(address, {"username": "renamed", "is_superuser": "on", "is_staff": "on"})
    operator.refresh_from_db()
    assert operator.username == "renamed"
    assert not operator.is_superuser


def test_a_sanction_runs_out_by_itself(db):
    user = User.objects.create(username="someone")
    past = timezone.now() - timedelta(seconds=1)
    Sanction.objects.create(user=user, kind="mute", reason="x", until=past)
    assert not Sanction.objects.in_force().exists()
