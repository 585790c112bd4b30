"""Guest sign-in and the page of an invitation, over HTTP."""

from __future__ import annotations

import pytest
from django.test import AsyncClient

from accounts import guests
from accounts.models import User
from accounts.validators import username_validators
from lobby import invitations, presence
from lobby.players import player_of
from tests.lobby.sockets import new_user

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def visitor() -> AsyncClient:
    return AsyncClient()


async def me(client: AsyncClient) -> User:
    return await User.objects.aget(pk=(await client.asession())["_auth_user_id"])


async def test_one_click_makes_a_guest(visitor: AsyncClient) -> None:
    page = await visitor.get("/accounts/guest/?next=/play/race/")
    assert 'value="/play/race/"' in page.content.decode()
    answer = await visitor.post("/accounts/guest/", {"next": "/play/race/"})
    assert (answer.status_code, answer["Location"]) == (302, "/play/race/")
    guest = await me(visitor)
    assert guest.kind == "guest"
    for check in username_validators:
        check(guest.username)
    await visitor.post("/accounts/guest/")
    assert await User.objects.acount() == 1


async def test_a_script_gets_json_and_no_foreign_address_is_followed(visitor: AsyncClient) -> None:
    answer = await visitor.post("/accounts/guest/", headers={"accept": "application/json"})
    said = answer.json()
    assert said.pop("csrf")  # for the next form of this page: signing in changed it
    assert said == {"name": (await me(visitor)).username, "kind": "guest"}
    away = await visitor.post("/accounts/guest/", {"next": "https://example.com/"})
    assert away["Location"] == "/"


async def test_the_form_is_protected(visitor: AsyncClient) -> None:
    strict = AsyncClient(enforce_csrf_checks=True)
    assert (await strict.post("/accounts/guest/")).status_code == 403
    assert await User.objects.acount() == 0


async def test_one_address_makes_only_so_many(settings) -> None:
    settings.GUESTS_PER_ADDRESS = 2
    codes = [(await AsyncClient().post("/accounts/guest/")).status_code for _ in range(3)]
    assert codes == [302, 302, 429]


async def test_names_that_are_taken_are_not_given_again(monkeypatch) -> None:
    names = iter(["QuietOtter42", "quietotter42", "BraveFox77"])
    monkeypatch.setattr(guests, "new_name", lambda: next(names))
    assert [(await guests.create_guest()).username for _ in range(2)] == [
        "QuietOtter42",
        "BraveFox77",
    ]


async def test_a_stranger_takes_the_free_seat_of_a_link(visitor: AsyncClient) -> None:
    host = player_of(await new_user("Ann"))
    await presence.seen(host)
    made = await invitations.create(host, "claim", size=2)
    page = (await visitor.get(made.url)).content.decode()
    assert "Ann invites you" in page
    assert "Join as a guest" in page
    answer = await visitor.post(made.url)
    assert (answer.status_code, answer["Location"]) == (302, f"/match/{made.match}/")
    assert (await me(visitor)).kind == "guest"
    again = await visitor.get(made.url)
    assert again["Location"] == f"/match/{made.match}/"
    late = AsyncClient()
    assert "started without you" in (await late.get(made.url)).content.decode()
    refused = await late.post(made.url)
    assert refused.status_code == 409


async def test_the_host_sees_the_link(visitor: AsyncClient) -> None:
    await visitor.post("/accounts/guest/")
    made = await invitations.create(player_of(await me(visitor)), "claim", size=3)
    page = (await visitor.get(made.url)).content.decode()
    assert f"http://testserver{made.url}" in page
    assert page.count("open seat") == 2
    stranger = AsyncClient()
    assert (await stranger.post(made.url, {"leave": "1"}))["Location"] == "/"
    assert (await invitations.get(made.token)).status == "open"
    assert (await visitor.post(made.url, {"leave": "1"}))["Location"] == "/"
    assert (await invitations.get(made.token)).status == "withdrawn"
    assert "withdrew" in (await visitor.get(made.url)).content.decode()


async def test_there_is_no_such_invitation(visitor: AsyncClient) -> None:
    assert (await visitor.get("/invite/nothing/")).status_code == 404
    assert (await visitor.post("/invite/nothing/")).status_code == 404
    assert await User.objects.acount() == 0
