"""Names that trick the eye or the page."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from accounts import adapter
from accounts.guests import ANIMALS, MOODS
from accounts.models import User
from accounts.validators import skeleton, username_validators

fill = import_module("accounts.migrations.0007_fill_skeletons").fill

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


PAIRS = [
    ("Admira10", "AdmiraIO"),
    ("barney", "bamey"),
    ("Illy", "l1ly"),
    ("anna", "an-na_"),
    ("vvilma", "wilma"),
    ("5ara", "Sara"),
    ("CalmSwan100", "CalmSwanloo"),
]


def sign_up(name: str) -> str:
    answer = Client().post("/accounts/signup/", {"username": name, "password1": "correct-horse-7"})
    if answer.status_code == 302:
        return ""
    (error,) = answer.context["form"].errors.as_data()["username"]
    return error.code


@pytest.mark.django_db
@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("order", [1, -1])
def test_a_name_that_is_easily_confused_is_refused_everywhere(pair, order):
    there, late = pair[::order]
    User.objects.create_user(there)
    assert sign_up(late) == "username_lookalike"
    with pytest.raises(CommandError, match="too much like another player"):
        call_command("create_bot", late)
    with pytest.raises(ValidationError) as refused:
        User(username=late, password="x").full_clean()
    assert refused.value.error_dict["username"][0].code == "username_lookalike"
    with pytest.raises(IntegrityError), transaction.atomic():
        User.objects.create_user(late)  # at the same moment, past every form
    assert User.objects.count() == 1


@pytest.mark.django_db
def test_a_name_that_is_taken_at_the_same_moment(client, monkeypatch):
    User.objects.create_user("barney")
    monkeypatch.setattr(adapter, "unlike_others", lambda *_: None)  # it was free at the check
    form = {"username": "bamey", "password1": "correct-horse-7"}
    answer = client.post("/accounts/signup/", form, follow=True)
    assert answer.redirect_chain == [("/accounts/signup/", 302)]
    assert "Somebody took this name a moment ago" in answer.content.decode()
    assert User.objects.count() == 1


@pytest.mark.django_db
def test_the_same_name_is_called_taken():
    User.objects.create_user("Anna")
    assert sign_up("ANNA") == "username_taken"


@pytest.mark.django_db
def test_a_guest_signs_up_with_the_own_name_or_one_like_it():
    client = Client()
    client.post("/accounts/guest/")
    guest = User.objects.get()
    form = {"username": f"{guest.username}-", "password1": "correct-horse-7"}
    assert client.post("/accounts/signup/", form).status_code == 302
    guest.refresh_from_db()
    assert (guest.username, guest.kind) == (form["username"], "registered")


@pytest.mark.django_db
def test_old_accounts_that_look_alike_go_on(client):
    old = User.objects.create_user("barney", password="x")
    User.objects.filter(pk=old.pk).update(username="bamey", skeleton=None)
    User.objects.create_user("barney")
    old = User.objects.get(username="bamey")
    old.full_clean()
    old.last_seen = timezone.now()
    old.save()
    assert User.objects.get(pk=old.pk).skeleton is None


@pytest.mark.django_db
def test_a_player_can_t_keep_a_house_bot_out():
    User.objects.create_user("FuseBot")
    User.objects.create_user("Fuse-bot", kind="house")
    assert User.objects.get(kind="house").skeleton is None
    User.objects.create_user("Ember-bot", kind="house")
    assert sign_up("EmberBot") == "username_lookalike"


def test_generated_names_never_look_alike():
    words = {skeleton(f"{mood}{animal}") for mood in MOODS for animal in ANIMALS}
    assert len(words) == len(MOODS) * len(ANIMALS)
    assert len({skeleton(str(n)) for n in range(100, 1000)}) == 900


@pytest.mark.django_db(transaction=True)
def test_the_migration_gives_the_oldest_the_skeleton():
    users = [User.objects.create_user(name) for name in ("barney", "Carla", "dora")]
    User.objects.update(skeleton=None)
    User.objects.filter(pk=users[1].pk).update(username="bamey")
    fill(apps, None)
    found = list(User.objects.order_by("pk").values_list("username", "skeleton"))
    assert found == [("barney", "bamey"), ("bamey", None), ("dora", "dora")]
