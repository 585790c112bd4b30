"""Who may write freely to whom."""

from __future__ import annotations

import pytest

from accounts.following import follow
from accounts.models import User
from lobby.chat.talking import may_talk

pytestmark = pytest.mark.django_db


def test_players_who_follow_each_other_may_talk_unless_a_setting_forbids_it():
    ann, bob = (User.objects.create(username=name) for name in ("Ann", "Bob"))
    assert not may_talk(ann.pk, bob.pk)
    follow(ann, bob)
    assert not may_talk(ann.pk, bob.pk)
    assert not may_talk(bob.pk, ann.pk)
    follow(bob, ann)
    assert may_talk(ann.pk, bob.pk)
    assert not may_talk(ann.pk, ann.pk)
    assert not may_talk(ann.pk, 10**9)
    bob.preferences = {"messages": "nobody"}
    bob.save()
    assert not may_talk(ann.pk, bob.pk)
    assert not may_talk(bob.pk, ann.pk)
