"""allauth's pages, errors and mails speak like the rest of the site."""

from __future__ import annotations

import re
from pathlib import Path

import allauth
import pytest
from babel.messages.pofile import read_po
from django.utils import translation

from accounts.allauth_words import FIELD_LABELS, WORDS
from minesite import messages

HOLES = re.compile(r"%\(\w+\)s|%d|\{\w+\}")


def test_every_entry_is_a_text_of_allauth():
    path = Path(allauth.__file__).parent / "locale" / "en" / "LC_MESSAGES" / "django.po"
    with path.open("rb") as source:
        theirs = {(message.context, message.id) for message in read_po(source)}
    assert {(None, text) for text in WORDS} <= theirs
    assert {("field label", text) for text in FIELD_LABELS} <= theirs


@pytest.mark.parametrize("text", WORDS, ids=lambda text: text[:30])
def test_our_text_has_the_same_holes(text: str):
    assert set(HOLES.findall(text)) == set(HOLES.findall(WORDS[text]))


@pytest.mark.parametrize("language", ["en", *messages.LANGUAGES])
def test_the_compiled_catalogue_is_of_these_texts(language: str):
    again = messages.compiled(messages.allauth_catalog(language))
    assert messages.allauth_path(language).read_bytes() == again, "run `make messages`"


def test_gettext_finds_our_words():
    assert translation.gettext("Sign In") == "Sign in"
    with translation.override("de"):
        assert translation.gettext("Please reauthenticate to safeguard your account.") == (
            "Zum Schutz deines Kontos melde dich bitte noch einmal an."
        )
