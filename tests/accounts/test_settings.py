"""The settings pages: what is saved, who may end what, what leaves with the owner."""

from __future__ import annotations

import json

import pytest
from allauth.usersessions.models import UserSession
from django.test import Client

from accounts import access, preferences, tokens
from accounts.devices import device
from accounts.models import RatingChange, Token, User
from accounts.preferences import DEFAULTS, PreferencesForm
from accounts.signals import access_ended
from games.engine.rng import commitment
from games.live.entry import Entry, pack_log, unpack_log
from games.live.setup import MatchSetup, SeatInfo, decode_setup
from games.models import Match, Seat
from games.moderation.models import Report, Sanction
from lobby.models import Block

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.database]
PASSWORD = "correct-horse-7"
PAGE = "/accounts/settings/"


@pytest.fixture
def anna() -> User:
    return User.objects.create_user("anna", "a@example.org", PASSWORD)


def signed_in(user: User) -> Client:
    client = Client(headers={"user-agent": "Mozilla/5.0 (X11; Linux) Firefox/130.0"})
    answer = client.post("/accounts/login/", {"login": user.username, "password": PASSWORD})
    assert answer.status_code == 302
    return client


@pytest.fixture
def ended():
    heard = []

    def hear(sender, user_id, session_key, token_id, **kwargs):
        heard.append((user_id, session_key, token_id))

    access_ended.connect(hear)
    yield heard
    access_ended.disconnect(hear)


def chosen(**changes) -> dict[str, str]:
    """The form as a browser sends it: a switch that is off is not sent."""
    values = {**DEFAULTS, **changes}
    return {k: "on" if v is True else str(v) for k, v in values.items() if v is not False}


def test_every_section_shows_a_field_once():
    shown = [name for _, names in PreferencesForm.SECTIONS for name in names]
    shown += [field.name for _, *fields in PreferencesForm().seats() for field in fields]
    assert sorted(shown) == sorted(DEFAULTS)


def test_preferences_are_saved_and_shown_again(anna):
    client = signed_in(anna)
    wanted = {"palette": "tritanopia", "sound": True, "volume": 0.25, "chord_both": False,
              "long_press_ms": 500, "private": True, "challenges": "nobody",
              "keys": "minewars.strike=s minewars.mine=m"}  # fmt: skip
    assert client.post(PAGE, chosen(**wanted)).status_code == 302
    anna.refresh_from_db()
    assert preferences.of(anna) == {**DEFAULTS, **wanted}
    form = client.get(PAGE).context["form"]
    assert form["palette"].value() == "tritanopia"
    assert form["chord_both"].value() is False


@pytest.mark.parametrize(
    "wrong",
    [
        {"palette": "<script>"},
        {"volume": "1.01"},
        {"volume": "nan"},
        {"long_press_ms": "149"},
        {"long_press_ms": "x"},
        {"challenges": ""},
        {"flash_colour": "url(//evil)"},
        {"flash_own": "red;background:url(//evil)"},
        {"colour_1": "#12345"},
        {"colour_6": "#12345g"},
        {"pattern_2": "none"},
        {"keys": "minewars.strike"},
        {"keys": "minewars.strike=s  minewars.mine=m"},
    ],
)
def test_wrong_values_change_nothing(anna, wrong):
    assert signed_in(anna).post(PAGE, {**chosen(), **wrong}).status_code == 422
    anna.refresh_from_db()
    assert anna.preferences == {}


def choose(client, **choices):
    return client.post(f"{PAGE}choices/", choices, content_type="application/json")


def test_a_match_page_changes_single_choices(anna):
    client = signed_in(anna)
    assert choose(client, sound=True, volume=0.25).json()["volume"] == 0.25
    answer = choose(client, palette="own", colour_2="#00FF00", pattern_2="grid")
    assert answer.json() == {**DEFAULTS, "sound": True, "volume": 0.25, "palette": "own",
                             "colour_2": "#00FF00", "pattern_2": "grid"}  # fmt: skip
    anna.refresh_from_db()
    assert preferences.of(anna) == answer.json()


@pytest.mark.parametrize(
    ("wrong", "status"),
    [
        ({"palette": "x"}, 422),
        ({"volume": [1]}, 422),
        ({"volume": None}, 422),
        ({"is_staff": True}, 422),
        ({"colour_1": "url(//evil)"}, 422),
        ("[]", 422),
        ("{", 400),
        ("[" * 10_000, 400),
        (b"\xff", 400),
    ],
)
def test_a_wrong_choice_is_refused_with_a_code_and_changes_nothing(anna, wrong, status):
    client = signed_in(anna)
    answer = client.post(f"{PAGE}choices/", wrong, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (status, "bad_choice")
    assert answer.json()["text"]
    anna.refresh_from_db()
    assert anna.preferences == {}


def test_guests_have_settings_and_a_hint_to_sign_up(client):
    client.post("/accounts/guest/")
    assert client.post(PAGE, chosen(palette="grey")).status_code == 302
    assert User.objects.get().preferences["palette"] == "grey"
    page = client.get(PAGE).content.decode()
    assert "Keep my name" in page
    assert client.post(f"{PAGE}tokens/", {"name": "x", "scopes": ["play"]}).status_code == 302
    assert not Token.objects.exists()


@pytest.mark.parametrize("path", ["", "access/", "data/"])
def test_strangers_are_asked_to_sign_in(client, path):
    answer = client.get(PAGE + path)
    assert answer["Location"].startswith("/accounts/login/?next=")


def test_sessions_are_listed_and_one_can_be_ended(anna, ended):
    here, there = signed_in(anna), signed_in(anna)
    page = here.get(f"{PAGE}access/")
    listed = page.context["sessions"]
    assert len(listed) == 2
    assert {row["device"] for row in listed} == {"Firefox on Linux"}
    (other,) = [row for row in listed if not row["current"]]
    ended.clear()
    here.post(f"{PAGE}sessions/{other['pk']}/end/")
    assert [(user, key) for user, key, _ in ended] == [(anna.pk, there.session.session_key)]
    assert there.get(PAGE).status_code == 302
    assert here.get(PAGE).status_code == 200


def test_all_others_end_and_this_one_stays(anna, ended):
    here, others = signed_in(anna), [signed_in(anna) for _ in range(3)]
    ended.clear()
    here.post(f"{PAGE}sessions/end-others/")
    assert len(ended) == 3
    assert [client.get(PAGE).status_code for client in others] == [302] * 3
    assert here.get(PAGE).status_code == 200


def test_nobody_ends_the_session_or_token_of_somebody_else(anna):
    client = signed_in(anna)
    token, _secret = tokens.issue(anna, "mine", ["read"])
    bob = signed_in(User.objects.create_user("bob", password=PASSWORD))
    session = UserSession.objects.get(user=anna, session_key=client.session.session_key)
    assert bob.post(f"{PAGE}sessions/{session.pk}/end/").status_code == 404
    assert bob.post(f"{PAGE}tokens/{token.pk}/revoke/").status_code == 404
    assert client.get(PAGE).status_code == 200
    assert tokens.holds(token.pk)


def test_a_new_password_ends_the_other_sessions(anna, ended):
    here, there = signed_in(anna), signed_in(anna)
    ended.clear()
    new = "another-horse-8"
    answer = here.post(
        "/accounts/password/change/",
        {"oldpassword": PASSWORD, "password1": new, "password2": new},
    )
    assert answer.status_code == 302
    assert here.get(PAGE).status_code == 200
    assert there.get(PAGE).status_code == 302
    assert (anna.pk, None, None) in ended
    assert len(access.sessions_of(anna)) == 1


def test_a_ban_ends_everything(anna, ended):
    client = signed_in(anna)
    ended.clear()
    anna.is_active = False
    anna.save()
    assert ended == [(anna.pk, None, None)]
    assert client.get(PAGE).status_code == 302
    assert not UserSession.objects.exists()


def test_a_token_is_shown_once_and_works_until_revoked(anna, ended):
    client = signed_in(anna)
    page = client.post(f"{PAGE}tokens/", {"name": "my <b>bot</b>", "scopes": ["play"]})
    secret = page.context["secret"]
    assert secret in page.content.decode()
    assert "<b>bot" not in page.content.decode()
    assert page["Cache-Control"].startswith("max-age=0")
    assert secret not in client.get(f"{PAGE}access/").content.decode()
    token = tokens.authenticate(secret)
    assert token is not None
    client.post(f"{PAGE}tokens/{token.pk}/revoke/")
    assert tokens.authenticate(secret) is None
    assert ended[-1] == (anna.pk, None, token.pk)


@pytest.mark.parametrize("wrong", [{"name": ""}, {"scopes": []}, {"scopes": ["admin"]}])
def test_a_token_needs_a_name_and_known_scopes(anna, wrong):
    fields = {"name": "x", "scopes": ["play"], **wrong}
    assert signed_in(anna).post(f"{PAGE}tokens/", fields).status_code == 422
    assert not Token.objects.exists()


@pytest.fixture
def match(anna) -> Match:
    bob = User.objects.create_user("bob")
    setup = MatchSetup(
        mode="race",
        version=1,
        seed="00" * 32,
        seats=[SeatInfo(u.pk, u.username, u.kind) for u in (anna, bob)],
        options={},
        rated=True,
        source="queue",
    )
    row = Match.objects.create(
        id="a" * 12,
        mode="race",
        rules_version=1,
        rated=True,
        source="queue",
        status=Match.Status.OVER,
        commitment=commitment(bytes(32), b""),
        seed=setup.seed,
        log=pack_log([Entry(0, 5, "setup", None, "", setup.encode())]),
    )
    for number, user in enumerate((anna, bob)):
        Seat.objects.create(match=row, number=number, user=user, name=user.username,
                            kind=user.kind, mode="race")  # fmt: skip
    RatingChange.objects.create(
        user=anna, mode="race", match_id=row.pk, mu=1, sigma=1, before=1000, after=1010
    )
    return row


def test_the_export_holds_what_is_kept_and_no_secret(anna, match):
    client = signed_in(anna)
    _token, secret = tokens.issue(anna, "laptop", ["read"])
    bob = User.objects.get(username="bob")
    Block.objects.create(blocker=anna, blocked=bob)
    Report.objects.create(reporter=anna, player=bob, reason="other", text="hm")
    Report.objects.create(reporter=bob, player=anna, reason="other", text="a secret about anna")
    Sanction.objects.create(user=anna, kind="mute", reason="spam", by=bob)
    answer = client.post(f"{PAGE}data/export/")
    assert answer["Content-Disposition"] == 'attachment; filename="minesite-anna.json"'
    data = json.loads(answer.content)
    assert data["account"]["email"] == "a@example.org"
    assert data["preferences"] == DEFAULTS
    assert [m["players"] for m in data["matches"]] == [["anna", "bob"]]
    assert data["rating_changes"][0]["after"] == 1010
    assert data["tokens"][0]["name"] == "laptop"
    assert data["blocks"][0]["name"] == "bob"
    (report,) = data["reports_made"]
    assert (report["player_name"], report["reason"], report["text"]) == ("bob", "other", "hm")
    (sanction,) = data["sanctions"]
    assert (sanction["kind"], sanction["reason"], sanction["until"]) == ("mute", "spam", None)
    assert not {"by", "by_id", "reporter", "reporter_id"} & {*report, *sanction}
    assert "a secret about anna" not in answer.content.decode()
    anna.refresh_from_db()
    for hidden in (anna.password, secret, Token.objects.get().digest, client.session.session_key):
        assert hidden not in answer.content.decode()


def test_deleting_needs_the_password(anna):
    client = signed_in(anna)
    assert client.post(f"{PAGE}data/delete/", {"proof": "anna"}).status_code == 422
    assert User.objects.filter(pk=anna.pk).exists()


def test_a_deleted_account_leaves_matches_without_its_name(anna, match, ended):
    client, other = signed_in(anna), signed_in(anna)
    tokens.issue(anna, "laptop", ["read"])
    ended.clear()
    assert client.post(f"{PAGE}data/delete/", {"proof": PASSWORD})["Location"] == "/"
    assert [user.username for user in User.objects.all()] == ["bob"]
    assert not Token.objects.exists()
    assert (anna.pk, None, None) in ended
    assert client.get(PAGE).status_code == other.get(PAGE).status_code == 302
    assert [(s.name, s.user_id is None) for s in match.seats.all()] == [
        ("deleted", True),
        ("bob", False),
    ]
    match.refresh_from_db()
    setup = decode_setup(unpack_log(bytes(match.log))[0].data)
    assert [seat.name for seat in setup.seats] == ["deleted", "bob"]
    assert setup.seats[0].user_id is None


def test_an_account_is_not_deleted_during_a_match(anna, match):
    Match.objects.update(status=Match.Status.LIVE)
    answer = signed_in(anna).post(f"{PAGE}data/delete/", {"proof": PASSWORD})
    assert answer.status_code == 409
    assert User.objects.filter(pk=anna.pk).exists()


def test_a_guest_deletes_by_name(client):
    client.post("/accounts/guest/")
    name = User.objects.get().username
    assert client.post(f"{PAGE}data/delete/", {"proof": "x"}).status_code == 422
    assert client.post(f"{PAGE}data/delete/", {"proof": name}).status_code == 302
    assert not User.objects.exists()


@pytest.mark.parametrize(
    ("agent", "words"),
    [
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/130.0 Safari/537.36 Edg/130.0", "Edge on Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 17_0) Version/17.0 Safari/604.1", "Safari on iPhone"),
        ("Mozilla/5.0 (Linux; Android 14) Chrome/130.0 Mobile Safari/537", "Chrome on Android"),
        ("curl/8.0", "Unknown device"),
        ("", "Unknown device"),
    ],
)
def test_devices_by_their_names(agent, words):
    assert device(agent) == words
