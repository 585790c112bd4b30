"""The texts for translators: `make messages`.

Collects every text of templates, Python and JavaScript, keeps the translations that are there, and
compiles the .mo files, which are committed so that neither running nor testing the site needs
anything but Python. The texts of a mode, and of every other app that has a `locale/` folder, are in
that folder; all others in `locale/` of the site. Needs Babel, which is among the development
packages.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import django
from babel.messages import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from django.utils.translation.template import templatize

ROOT: Final = Path(__file__).resolve().parents[1]
MODES: Final = ROOT / "games" / "modes"
LANGUAGES: Final = ("de", "fr", "es")
DOMAINS: Final = ("django", "djangojs")
APPS: Final = ("accounts", "games", "lobby", "minesite")
PYTHON: Final[dict[str, Any]] = {
    "gettext": None,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "_": None,
}
JAVASCRIPT: Final[dict[str, Any]] = {"t": None, "n": (1, 2)}
NOT_OURS: Final = re.compile(r"/(migrations|node_modules|tests)/")
NEVER: Final = datetime(2026, 1, 1)
"""The date in every file: a true one would make every run a change."""


class Text(NamedTuple):
    """A text as it stands in a file; `owner` is the folder whose `locale/` has it. The text of an
    error code has the code instead of a file."""

    owner: Path
    message: str | tuple[str, ...]
    context: str | None
    file: str | None
    line: int = 0
    code: str = ""


@cache
def owners() -> list[Path]:
    """The folders that have texts: the site's own, those of the modes and of apps with their own
    `locale/`."""
    modes = {path.parent for path in MODES.glob("*/mode.py")}
    others = {path.parent for app in APPS for path in (ROOT / app).rglob("locale")}
    return [ROOT, *sorted(modes | others)]


def owner_of(path: Path) -> Path:
    """The innermost folder with texts that this file is in."""
    return next(folder for folder in path.parents if folder in owners())


def files(pattern: str) -> Iterator[Path]:
    for app in APPS:
        for path in sorted((ROOT / app).rglob(pattern)):
            if not NOT_OURS.search(str(path)):
                yield path


@cache
def texts(domain: str) -> tuple[Text, ...]:
    """Every text of `django` (templates and Python) or `djangojs` (modules, error codes)."""
    return tuple(_texts(domain))


def _texts(domain: str) -> Iterator[Text]:
    if domain == "djangojs":
        yield from _error_texts()
        for path in files("*.js"):
            # Texts stand in template strings, too.
            options = {"parse_template_string": True}
            yield from _extracted("javascript", path, path.read_text(), JAVASCRIPT, options)
        return
    for path in files("*.py"):
        yield from _extracted("python", path, path.read_text(), PYTHON)
    for path in files("*.html"):
        source = templatize(path.read_text(), origin=str(path))
        # Templates are not indented as Python is.
        plain = "\n".join(line.strip() for line in source.splitlines())
        yield from _extracted("python", path, plain, PYTHON)


def _error_texts() -> Iterator[Text]:
    from games.engine.registry import REGISTRY, built_in
    from minesite.error_texts import common_texts

    for code, text in common_texts():
        yield Text(ROOT, text, None, None, code=code)
    for name, mode in REGISTRY.items():
        package = REGISTRY.package(name)
        if package in built_in():
            for code, text in mode.rules.spec.codes.items():
                yield Text(MODES / package.rpartition(".")[2], text, None, None, code=code)


def _extracted(
    method: str,
    path: Path,
    source: str,
    keywords: dict[str, Any],
    options: dict[str, Any] | None = None,
) -> Iterator[Text]:
    file, owner = str(path.relative_to(ROOT)), owner_of(path)
    found = extract(method, io.BytesIO(source.encode()), keywords, (), options)
    for line, message, _comments, context in found:
        if message[0] if isinstance(message, tuple) else message:
            yield Text(owner, message, context, file, line)


def collect(owner: Path, domain: str) -> Catalog:
    """The texts of this folder, untranslated."""
    catalog = _empty(None, domain)
    for text in texts(domain):
        if text.owner == owner:
            where: list[Any] = [(text.file, None)] if text.file else []  # no line numbers
            catalog.add(text.message, locations=where, context=text.context)
    return catalog


def _empty(language: str | None, domain: str) -> Catalog:
    return Catalog(locale=language, domain=domain, project="minesite", fuzzy=False)


def path_of(owner: Path, language: str, domain: str) -> Path:
    return owner / "locale" / language / "LC_MESSAGES" / f"{domain}.po"


def read(owner: Path, language: str, domain: str) -> Catalog:
    path = path_of(owner, language, domain)
    if not path.exists():
        return _empty(language, domain)
    with path.open("rb") as source:
        return read_po(source, locale=language, domain=domain)


def compiled(catalog: Catalog) -> bytes:
    out = io.BytesIO()
    write_mo(out, catalog)
    return out.getvalue()


def update(owner: Path, language: str, domain: str) -> Catalog:
    """Write the file of this folder: its texts of now, with the translations known so far. A text
    that has moved from another folder keeps its translation."""
    fresh = _empty(language, domain)
    known = [read(each, language, domain) for each in (owner, *owners())]
    for message in collect(owner, domain):
        if message.id:
            olds = (catalog.get(message.id, message.context) for catalog in known)
            kept = next((old.string for old in olds if old and _is_complete(old.string)), None)
            fresh.add(message.id, kept, sorted(message.locations), context=message.context)
    path = path_of(owner, language, domain)
    if len(fresh) == 0:
        return fresh
    fresh.creation_date = fresh.revision_date = NEVER
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as out:
        write_po(out, fresh, width=100, sort_output=True)
    path.with_suffix(".mo").write_bytes(compiled(read(owner, language, domain)))
    return fresh


def write_allauth_words(language: str) -> None:
    """Write allauth's texts with the translations of ours (accounts/allauth_words.py)."""
    path = allauth_path(language)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(compiled(allauth_catalog(language)))


def allauth_path(language: str) -> Path:
    return ROOT / "accounts" / "allauth_locale" / language / "LC_MESSAGES" / "django.mo"


def allauth_catalog(language: str) -> Catalog:
    from accounts.allauth_words import FIELD_LABELS, WORDS

    catalog, known = _empty(language, "django"), read(ROOT, language, "django")
    catalog.creation_date = catalog.revision_date = NEVER
    for context, words in ((None, WORDS), ("field label", FIELD_LABELS)):
        for theirs, ours in words.items():
            translated = known.get(ours)
            string = ours if translated is None else translated.string
            catalog.add(theirs, string, context=context)
    return catalog


def _is_complete(translation: str | tuple[str, ...] | list[str] | None) -> bool:
    return all(translation) if isinstance(translation, tuple | list) else bool(translation)


def untranslated(catalog: Catalog) -> list[str]:
    return [
        str(message.id) for message in catalog if message.id and not _is_complete(message.string)
    ]


def main() -> None:
    django.setup()
    for language in LANGUAGES:
        for domain in DOMAINS:
            # First the modes: what has left the site's own file must be found there.
            for owner in reversed(owners()):
                catalog = update(owner, language, domain)
                name = "." if owner == ROOT else str(owner.relative_to(ROOT))
                print(f"{name} {language} {domain}: {len(catalog)} texts")
                for text in untranslated(catalog):
                    print(f"  missing: {text}")
    for language in ("en", *LANGUAGES):
        write_allauth_words(language)


if __name__ == "__main__":
    main()
