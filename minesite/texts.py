"""Every text that a user may read, with its place: `make texts`.

The order is about that of a first visit: the frame of all pages, the front page, choosing a game,
learning it, playing it, mode by mode, what comes after the match, the account, errors, the admin.
With a language (`make texts LOCALE=de`) each text is followed by its translation.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import django
from babel.messages import Catalog

from minesite.messages import DOMAINS, LANGUAGES, ROOT, Text, read, texts

ADMIN: Final = re.compile(r"admin|moderation|dashboard|management/")
CHAPTERS: Final = (
    ("Every page", r"minesite/(templates/(base|bare|site|offline)|static|navigation|context)"),
    ("Front page and lobby", r"lobby/|games/static/games/lobby"),
    ("Choose a game", r"games/(templates/games/(play|options|option_|more_|solo)|engine)"),
    ("Learn", r"games/(templates/games/learn|static/games/(learn|pages/learn))"),
    ("Match", r"games/(templates/games/match|live|static/games/(match|board|generic|pages/match))"),
    ("Modes", r"games/modes/"),
    ("After the match", r"games/"),
    ("Account", r"accounts/|minesite/templates/allauth"),
    ("Error pages and everything else", r""),
)
ERRORS: Final = "Error codes"
STAFF: Final = "Admin"


def chapters() -> list[tuple[str, list[Text]]]:
    """All texts by chapter, each text once per chapter."""
    every: dict[str, list[Text]] = {title: [] for title, _ in CHAPTERS}
    every |= {ERRORS: [], STAFF: []}
    seen = set()
    for text in (text for domain in DOMAINS for text in texts(domain)):
        title = chapter_of(text)
        if (key := (title, text.owner, text.message, text.context)) not in seen:
            seen.add(key)
            every[title].append(text)
    return [(title, sorted(found, key=_order)) for title, found in every.items()]


def chapter_of(text: Text) -> str:
    if text.file is None:
        return ERRORS
    if ADMIN.search(text.file):
        return STAFF
    return next(title for title, path in CHAPTERS if re.match(path, text.file))


def _order(text: Text) -> tuple[str, str, int, str]:
    return str(text.owner), text.file or "", text.line, text.code


def place_of(text: Text) -> str:
    if text.file:
        return f"{text.file}:{text.line}"
    owner = "" if text.owner == ROOT else f" ({text.owner.name})"
    return f"error {text.code}{owner}"


@cache
def _catalogues(owner: Path, language: str) -> list[Catalog]:
    return [read(owner, language, domain) for domain in DOMAINS]


def translation_of(text: Text, language: str) -> str | tuple[str, ...] | list[str]:
    found = (each.get(text.message, text.context) for each in _catalogues(text.owner, language))
    return next((message.string or "" for message in found if message), "")


def shown(message: str | tuple[str, ...] | list[str]) -> str:
    """The text in one line; the forms of a plural beside each other."""
    forms = [message] if isinstance(message, str) else message
    return " | ".join(re.sub(r"\s+", " ", form).strip() for form in forms)


def lines(language: str | None = None) -> Iterator[str]:
    for title, found in chapters():
        yield f"# {title} ({len(found)})"
        for text in found:
            context = f" [{text.context}]" if text.context else ""
            yield f"{place_of(text)}{context}: {shown(text.message)}"
            if language:
                yield f"    {language}: {shown(translation_of(text, language))}"
        yield ""
    distinct = {(text.message, text.context) for _title, found in chapters() for text in found}
    yield f"{len(distinct)} texts"


def main() -> None:
    language = sys.argv[1] if len(sys.argv) > 1 else None
    if language and language not in LANGUAGES:
        sys.exit(f"There is no {language}. The languages are: {', '.join(LANGUAGES)}.")
    django.setup()
    print(*lines(language), sep="\n")


if __name__ == "__main__":
    main()
