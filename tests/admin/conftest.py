from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import Group

from accounts.models import User
from games.engine import registry


@pytest.fixture(autouse=True)
def claim_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    """The smallest mode, as if people played it."""
    monkeypatch.setitem(registry.REGISTRY.loaded, "claim", registry.TEST_MODES["claim"])


@pytest.fixture
def member(db) -> Callable[[str], User]:
    """A member of staff, of one of the three groups."""

    def make(group: str) -> User:
        user = User.objects.create(username=f"the-{group}", is_staff=True)
        user.groups.add(Group.objects.get(name=group))
        return user

    return make
