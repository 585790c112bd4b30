"""What moderators read of the chat."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.moderation.models import Report
from lobby.chat.models import Line, ReportedLine

pytestmark = pytest.mark.django_db


def staff(group: str) -> Client:
    user = User.objects.create(username=f"a-{group}", is_staff=True)
    user.groups.add(Group.objects.get(name=group))
    client = Client()
    client.force_login(user)
    return client


def test_the_page_of_a_report_shows_the_lines_around_it():
    bob = User.objects.create(username="Bob")
    report = Report.objects.create(player=bob, reason="chat")
    for key, text, is_cause in (("1", "before", False), ("2", "<b>rude</b>", True)):
        line = Line.objects.create(room="match:x", author=bob, key=key, text=text)
        ReportedLine.objects.create(report=report, line=line, is_cause=is_cause)
    address = reverse("admin:moderation_report_change", args=[report.pk])
    body = staff("support").get(address).content.decode()
    assert "Bob: before</li>" in body
    assert "Bob: &lt;b&gt;rude&lt;/b&gt;</strong>" in body


def test_support_reads_no_other_lines_and_moderators_do():
    bob = User.objects.create(username="Bob")
    Line.objects.create(room="match:x", author=bob, key="1", phrase="luck")
    address = reverse("admin:chat_line_changelist")
    assert staff("support").get(address).status_code == 403
    assert "Good luck!" in staff("moderator").get(address).content.decode()
