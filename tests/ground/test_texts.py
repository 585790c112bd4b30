"""`make texts` prints every text once per chapter, with its place."""

from __future__ import annotations

import re

from minesite import messages, texts


def printed(language: str | None = None) -> list[str]:
    return list(texts.lines(language))


def test_every_text_of_the_catalogues_is_printed():
    shown = {text.message for _title, found in texts.chapters() for text in found}
    for owner in messages.owners():
        for domain in messages.DOMAINS:
            wanted = {
                tuple(message.id) if isinstance(message.id, list) else message.id
                for message in messages.collect(owner, domain)
                if message.id
            }
            assert wanted <= shown


def test_a_place_leads_to_the_text():
    text = next(
        text
        for _title, found in texts.chapters()
        for text in found
        if text.file == "lobby/templates/lobby/front.html" and text.message == "Play now"
    )
    source = (messages.ROOT / "lobby/templates/lobby/front.html").read_text().splitlines()
    assert "Play now" in source[text.line - 1]
    assert f"{texts.place_of(text)}: Play now" in printed()


def test_an_error_is_printed_with_its_code():
    assert any(line.startswith("error not_your_turn") for line in printed())


def test_chapters_come_in_the_order_of_a_visit():
    titles = [title for title, _found in texts.chapters()]
    assert titles.index("Front page and lobby") < titles.index("Match") < titles.index("Account")
    assert all(found for _title, found in texts.chapters())


def test_a_language_prints_the_translation_below():
    lines = printed("de")
    place = next(i for i, line in enumerate(lines) if re.search(r"header\.html:\d+: Play$", line))
    assert lines[place + 1] == "    de: Spielen"
