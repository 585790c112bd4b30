"""Every text has its German one. `make messages` collects what is new."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("language", messages.LANGUAGES)
@pytest.mark.parametrize("domain", messages.DOMAINS)
@pytest.mark.parametrize("owner", messages.owners(), ids=lambda owner: owner.name)
def test_the_compiled_file_is_of_this_text(owner: Path, language: str, domain: str):
    path = messages.path_of(owner, language, domain)
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
