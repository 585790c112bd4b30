"""Names that trick the eye or the page."""

from __future__ import annotations

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.guests import ANIMALS, MOODS
from accounts.models import User
from accounts.validators import username_validators

NASTY = [
    "",
    "ab",
    "a" * 21,
    "аnna",  # Cyrillic
    "Αnna",  # Greek
    "ａｎｎａ",  # full width
    "anna\u200b",
    "an\u202ena",
    "anna\n",
    "anna\x00",
    "an\tna",
    " anna",
    "anna ",
    "<b>anna</b>",
    "anna'\"--",
    "&lt;anna",
    "{{anna}}",
    "../anna",
    "anna/@x",
    "é" * 5,
    "١٢٣",
    "ﬁne",
    "admin",
    "ADMIN",
    "Adm1n",
    "a-d-m-i-n",
    "m0derator",
    "rnoderator",
    "5upport",
    "minesite",
    "rnine5ite",
    "deleted",
    "Fuse-bot",
    "Fuse_B0T",
]


def problems(name: str) -> list[ValidationError]:
    found = []
    for validator in username_validators:
        try:
            validator(name)
        except ValidationError as error:
            found.append(error)
    return found


@pytest.mark.parametrize("name", ["anna", "Anna_7", "x-X-x", "Robot", "Abbot", "modern", "Illy"])
def test_honest_names_pass(name):
    assert not problems(name)


def test_every_guest_name_passes():
    for mood in MOODS:
        for animal in ANIMALS:
            assert not problems(f"{mood}{animal}100")


@pytest.mark.django_db
@pytest.mark.parametrize("name", NASTY)
def test_nasty_names_are_refused_everywhere(name):
    # allauth and the admin strip what is around a name before they look at it.
    if name == name.strip() and "\x00" not in name:
        Client().post("/accounts/signup/", {"username": name, "password1": "correct-horse-7"})
    with pytest.raises(ValidationError):
        User(username=name, password="x").full_clean()
    if name:
        with pytest.raises(CommandError):
            call_command("create_bot", name)
    assert not User.objects.exists()
