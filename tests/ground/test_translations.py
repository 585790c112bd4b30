"""Every text has its translation in each language. `make messages` collects what is new."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.utils import formats, translation

from minesite import catalogue, messages

HOLES = re.compile(r"%\(\w+\)s|\{\w+\}|<[^>]+>")


def forms(text: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text)


@pytest.mark.parametrize("language", messages.LANGUAGES)
@pytest.mark.parametrize("domain", messages.DOMAINS)
@pytest.mark.parametrize("owner", messages.owners(), ids=lambda owner: owner.name)
def test_no_text_is_missing(owner: Path, language: str, domain: str):
    known = messages.read(owner, language, domain)
    missing = []
    for message in messages.collect(owner, domain):
        if not message.id:
            continue
        found = known.get(message.id, message.context)
        if found is None or not all(forms(found.string)):
            missing.append(str(message.id))
    assert not missing, "run `make messages` and translate:\n" + "\n".join(missing)


@pytest.mark.parametrize("language", messages.LANGUAGES)
@pytest.mark.parametrize("domain", messages.DOMAINS)
@pytest.mark.parametrize("owner", messages.owners(), ids=lambda owner: owner.name)
def test_translations_have_the_same_holes_and_marks(owner: Path, language: str, domain: str):
    for message in messages.read(owner, language, domain):
        if not message.id:
            continue
        wanted = {hole for form in forms(message.id) for hole in HOLES.findall(form)}
        given = {hole for form in forms(message.string) for hole in HOLES.findall(form)}
        # A key may have another name in another language.
        extra = {hole for hole in given - wanted if not hole.startswith("<")}
        assert not extra, f"{message.id}: {extra}"
        assert wanted <= given, f"{message.id}: {wanted - given}"


@pytest.mark.parametrize("domain", messages.DOMAINS)
@pytest.mark.parametrize("owner", messages.owners(), ids=lambda owner: owner.name)
def test_french_punctuation_never_starts_a_line(owner: Path, domain: str):
    breakable = re.compile(r" [:;!?»](?=\W|$)|« ")
    texts = [
        form for message in messages.read(owner, "fr", domain) for form in forms(message.string)
    ]
    assert not [text for text in texts if breakable.search(text)], "use a no-break space"


@pytest.mark.parametrize("language", messages.LANGUAGES)
@pytest.mark.parametrize("domain", messages.DOMAINS)
@pytest.mark.parametrize("owner", messages.owners(), ids=lambda owner: owner.name)
def test_the_compiled_file_is_of_this_text(owner: Path, language: str, domain: str):
    path = messages.path_of(owner, language, domain)
    if not path.exists() and not messages.collect(owner, domain):
        return  # an app without modules has no texts of this kind
    again = messages.compiled(messages.read(owner, language, domain))
    assert path.with_suffix(".mo").read_bytes() == again, "run `make messages`"


def test_the_catalogue_of_the_modules_is_cached_by_its_content(client):
    address = catalogue.address("de")
    answer = client.get(address)
    assert "immutable" in answer["Cache-Control"]
    texts = json.loads(answer.content)["texts"]
    assert texts["Play"] == "Spielen"
    assert texts["{n} watching"] == ["{n} schaut zu", "{n} schauen zu"]
    assert texts["error.not_your_turn"] == "Du bist nicht am Zug."
    assert catalogue.address("en") == ""
    assert client.get("/texts/de.000000000000.json")["Cache-Control"] == "no-store"
    assert client.get("/texts/xx.000000000000.json").status_code == 404


def test_the_site_offers_the_languages_that_have_catalogues():
    assert [code for code, _name in settings.LANGUAGES] == ["en", *messages.LANGUAGES]


@pytest.mark.parametrize("language", messages.LANGUAGES)
def test_the_modules_know_the_plural_rule_of_each_language(language: str):
    rule = json.loads(catalogue.content(language))["plural"]
    module = finders.find("site/i18n.js")
    assert isinstance(module, str)
    rules = re.search(r"PLURALS = \{(.+?)\};", Path(module).read_text(), re.DOTALL)
    assert rules is not None
    assert f'"{rule}":' in rules.group(1)


def test_french_counts_zero_in_the_singular():
    with translation.override("fr"):
        assert translation.ngettext("%(n)s player", "%(n)s players", 0) == "%(n)s joueur"
        assert translation.ngettext("%(n)s player", "%(n)s players", 2) == "%(n)s joueurs"
    with translation.override("es"):
        assert translation.ngettext("%(n)s player", "%(n)s players", 0) == "%(n)s jugadores"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("wanted", "language", "title"),
    [
        ("fr-CA,fr;q=0.9,en;q=0.5", "fr", "Rien sous cette case"),
        ("es-MX,es;q=0.9,en;q=0.5", "es", "Nada bajo esta casilla"),
        ("it,de;q=0.5", "de", "Unter diesem Feld ist nichts"),
        ("it", "en", "Nothing under this tile"),
    ],
)
def test_the_browser_chooses_the_language(client, wanted: str, language: str, title: str):
    answer = client.get("/no/such/page", headers={"Accept-Language": wanted})
    page = answer.content.decode()
    assert f'lang="{language}"' in page
    assert title in page
    for name in ("English", "Deutsch", "Français", "Español"):
        assert name in page


def test_dates_and_numbers_are_written_as_in_the_language():
    day = date(2026, 3, 1)
    with translation.override("fr"):
        assert formats.date_format(day) == "1 mars 2026"
        assert formats.localize(2.5) == "2,5"
    with translation.override("es"):
        assert formats.date_format(day) == "1 de marzo de 2026"
