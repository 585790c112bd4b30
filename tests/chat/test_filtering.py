"""What may be written: form, words, links."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from lobby.chat import filtering
from lobby.chat.models import LONGEST
from lobby.errors import LobbyError

NOW = datetime(2026, 1, 31, tzinfo=UTC)
OLD = NOW - timedelta(days=30)
NEW = NOW - timedelta(days=1)


def code_of(call, *args) -> str:
    with pytest.raises(LobbyError) as refused:
        call(*args)
    return refused.value.code


def test_a_text_is_one_line_without_what_is_invisible():
    assert filtering.cleaned("  Hello \n\t there \u202e\u200b! ") == "Hello there !"
    assert filtering.cleaned("Cafe\u0301") == "Café"
    assert filtering.cleaned("Z" + "\u0300" * 40) == "Z\u0300\u0300"


@pytest.mark.parametrize(
    ("text", "code"),
    [("", "chat_empty"), (" \n\u200b", "chat_empty"), ("x" * (LONGEST + 1), "chat_too_long")],
)
def test_empty_and_long_texts_are_refused(text, code):
    assert code_of(filtering.cleaned, text) == code


@pytest.mark.parametrize(
    "text",
    ["you bastard", "B-A-S-T-A-R-D", "b a s t a r d", "bâstârd!", "b4st4rd", "bastaaaard",
     "hijo de puta", "Fick dich", "connards", "fUcKing"],
)  # fmt: skip
def test_listed_words_are_found_however_they_are_written(text):
    assert filtering.is_listed(text)


@pytest.mark.parametrize(
    "text",
    ["Well played, 3BV/s of 4.5!", "Scunthorpe and Penistone", "Ich habe eine gute Analyse",
     "la computadora", "con mucho gusto", "Le député est là", "assassins", "cocktail", "1 2 3 4"],
)  # fmt: skip
def test_harmless_texts_pass(text):
    assert not filtering.is_listed(text)


@pytest.mark.parametrize(
    "text", ["see http://a.b", "www.example.org", "go to example.com/x", "example . com"]
)
def test_links_are_for_accounts_with_some_days(text):
    assert code_of(filtering.refuse_bad, text, NEW, NOW) == "chat_no_links"
    filtering.refuse_bad(text, OLD, NOW)
    assert code_of(filtering.refuse_bad, f"{text} bastard", OLD, NOW) == "chat_words"


def test_every_language_has_a_list(settings):
    names = {path.stem for path in filtering.WORDS.glob("*.txt")}
    assert names == {code for code, _name in settings.LANGUAGES}
