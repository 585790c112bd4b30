"""The site's texts for translators: `make messages`.

Collects every text of templates, Python and JavaScript into locale/<language>/LC_MESSAGES/*.po,
keeps the translations that are there, and compiles the .mo files, which are committed so that
neither running nor testing the site needs anything but Python.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import django
from babel.messages import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

from tests.running_site import ROOT

LANGUAGES = ("de",)
APPS = ("accounts", "games", "lobby", "minesite")
PYTHON = {
    "gettext_noop": None,
    "gettext": None,
    "gettext_lazy": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "_": None,
}
JAVASCRIPT = {"t": None, "n": (1, 2)}
OURS_ONLY = re.compile(r"/(migrations|node_modules|tests)/")


def files(pattern: str) -> Iterator[Path]:
    for app in APPS:
        for path in sorted((ROOT / app).rglob(pattern)):
            if not OURS_ONLY.search(str(path)):
                yield path


def _messages(method: str, text: str, keywords: dict[str, Any]) -> Iterator[tuple[Any, Any]]:
    # Texts stand in template strings, too.
    options = {"parse_template_string": True} if method == "javascript" else None
    source = io.BytesIO(text.encode())
    for _line, message, _comments, context in extract(method, source, keywords, (), options):
        yield message, context


def _without_indents(text: str) -> str:
    """Templates are not indented as Python is."""
    return "\n".join(line.strip() for line in text.splitlines())


def collect(domain: str) -> Catalog:
    """Every text of `django` (templates and Python) or `djangojs` (modules, error codes)."""
    catalog = Catalog(domain=domain, project="minesite", fuzzy=False)
    if domain == "djangojs":
        from minesite.error_texts import error_texts

        for _code, text in error_texts():
            catalog.add(text)
        sources = [("javascript", path, path.read_text(), JAVASCRIPT) for path in files("*.js")]
    else:
        sources = [("python", path, path.read_text(), PYTHON) for path in files("*.py")]
        for path in files("*.html"):
            text = _without_indents(templatize(path.read_text(), origin=str(path)))
            sources.append(("python", path, text, PYTHON))
    for method, path, text, keywords in sources:
        where = [(str(path.relative_to(ROOT)), None)]
        for message, context in _messages(method, text, keywords):
            first = message[0] if isinstance(message, tuple) else message
            if first:
                catalog.add(message, locations=where, context=context)
    return catalog


def path_of(language: str, domain: str) -> Path:
    return ROOT / "locale" / language / "LC_MESSAGES" / f"{domain}.po"


def read(language: str, domain: str) -> Catalog:
    path = path_of(language, domain)
    if not path.exists():
        return Catalog(locale=language, domain=domain, project="minesite", fuzzy=False)
    with path.open("rb") as source:
        return read_po(source, locale=language, domain=domain)


def compiled(catalog: Catalog) -> bytes:
    out = io.BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


def update(language: str, domain: str) -> Catalog:
    known, now = read(language, domain), collect(domain)
    fresh = Catalog(locale=language, domain=domain, project="minesite", fuzzy=False)
    for message in now:
        if not message.id:
            continue
        old = known.get(message.id, message.context)
        kept = old.string if old else None
        fresh.add(message.id, kept, sorted(message.locations), context=message.context)
    # A date would make every run a change.
    fresh.creation_date = fresh.revision_date = django.utils.timezone.datetime(2026, 1, 1)
    path = path_of(language, domain)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as out:
        write_po(out, fresh, width=100, sort_output=True)
    path.with_suffix(".mo").write_bytes(compiled(read(language, domain)))
    return fresh


def untranslated(catalog: Catalog) -> list[str]:
    return [
        str(message.id)
        for message in catalog
        if message.id
        and not all(message.string if isinstance(message.string, tuple) else (message.string,))
    ]


def main() -> None:
    django.setup()
    for language in LANGUAGES:
        for domain in ("django", "djangojs"):
            catalog = update(language, domain)
            print(f"{language} {domain}: {len(catalog)} texts")
            for text in untranslated(catalog):
                print(f"  missing: {text}")


if __name__ == "__main__":
    main()
