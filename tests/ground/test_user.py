from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from accounts.models import User

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def test_names_that_differ_only_in_case_are_the_same_name():
    User.objects.create_user("Ada")
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("aDA")
    assert User.objects.get_by_natural_key("ADA").username == "Ada"


@pytest.mark.parametrize(
    "name", ["ab", "a" * 21, "Zoë", "a b c", "admin", "Admin", "a\n\n\n", "а1в2"]
)
def test_bad_names_are_refused(name):
    with pytest.raises(ValidationError) as refused:
        User(username=name).full_clean(exclude=["password"])
    assert "username" in refused.value.message_dict


@pytest.mark.parametrize("name", ["Ada", "a-b_c9", "x" * 20])
def test_good_names_are_taken(name):
    User(username=name).full_clean(exclude=["password"])


def test_a_user_is_registered_unless_said_otherwise_and_no_other_kind_exists():
    assert User.objects.create_user("Grace").kind == "registered"
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user("Robot", kind="toaster")
