from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts import tokens
from accounts.models import Token, User
from accounts.signals import access_ended
from games.access import BadToken, identify

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def user() -> User:
    return User.objects.create_user("anna", password="x")


def test_a_token_is_stored_as_a_hash_and_known_by_its_secret(user):
    token, secret = tokens.issue(user, "laptop", ["play"])
    assert secret not in str(Token.objects.values().get())
    found = tokens.authenticate(secret)
    assert found == token
    assert found.user == user
    assert found.may("play")
    assert not found.may("read")


@pytest.mark.parametrize("secret", ["", "ms_", "ms_" + "x" * 43, "x" * 1000, "\x00"])
def test_nobody_gets_in_with_another_secret(user, secret):
    tokens.issue(user, "laptop", ["play"])
    assert tokens.authenticate(secret) is None


@pytest.mark.parametrize("scopes", [[], ["admin"], ["play", "admin"]])
def test_scopes_are_a_closed_set(user, scopes):
    with pytest.raises(ValueError, match="scopes"):
        tokens.issue(user, "laptop", scopes)


def test_a_token_of_a_user_who_is_not_active_is_not_valid(user):
    token, secret = tokens.issue(user, "laptop", ["read"])
    User.objects.update(is_active=False)
    assert tokens.authenticate(secret) is None
    assert not tokens.holds(token.pk)


def test_revoking_ends_access_and_says_so(user, django_capture_on_commit_callbacks):
    token, secret = tokens.issue(user, "laptop", ["play"])
    heard = []

    def hear(sender, **said):
        heard.append((said["user_id"], said["token_id"]))

    access_ended.connect(hear)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            pk = token.pk
            tokens.revoke(token)
    finally:
        access_ended.disconnect(hear)
    assert tokens.authenticate(secret) is None
    assert heard == [(user.pk, pk)]


@pytest.mark.asyncio
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("header", [b"Bearer", b"Bearer ", b"bearer   ", b"Bearer x", b"BEARER\t"])
async def test_an_authorization_without_a_valid_token_is_refused_and_no_visitor(header):
    scope = {"headers": [(b"authorization", header)], "user": AnonymousUser()}
    with pytest.raises(BadToken):
        await identify(scope)
