"""The import map: ES modules by their plain names, served under their hashed names; and what a
module needs, so that a page can ask for all of it at once.

A module can be imported as "games/board/board.js" from anywhere, or as "./board.js" from beside it;
both lead to the one hashed file.
"""

from __future__ import annotations

import json
import posixpath
import re
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import find, get_finders
from django.contrib.staticfiles.storage import staticfiles_storage

APPS = ("site/", "games/", "modes/", "lobby/", "chat/", "accounts/")


def modules() -> list[str]:
    return sorted(
        name
        for finder in get_finders()
        for name, _storage in finder.list([])
        if name.startswith(APPS) and name.endswith(".js")
    )


def build(mode: str = "") -> str:
    """All modules; with a mode, those of the other modes are left out."""
    imports: dict[str, str] = {}
    for name in modules():
        if mode and name.startswith("modes/") and not name.startswith(f"modes/{mode}/"):
            continue
        url = staticfiles_storage.url(name)
        imports[name] = url
        if url != settings.STATIC_URL + name:
            imports[settings.STATIC_URL + name] = url
    # "<" could end the script element early.
    return json.dumps({"imports": imports}, separators=(",", ":")).replace("<", "\\u003c")


@cache
def _built_once(mode: str) -> str:
    return build(mode)


def import_map(mode: str = "") -> str:
    return build(mode) if settings.DEBUG else _built_once(mode)


# A static import at the beginning of a line; `import(...)` is for later, and not meant.
_IMPORT = re.compile(
    r"""^(?:import|export)\b(?:[^"'();]*?\bfrom)?\s*["']([^"']+)["']""", re.MULTILINE
)


def needed_by(name: str) -> list[str]:
    """The modules that this one imports, directly or through others, nearest first."""
    found = [name]
    for module in found:
        path = find(module)
        if not path:
            continue
        for target in _IMPORT.findall(Path(str(path)).read_text()):
            folder = posixpath.dirname(module)
            wanted = (
                posixpath.normpath(posixpath.join(folder, target)) if target[0] == "." else target
            )
            if wanted not in found:
                found.append(wanted)
    return found[1:]


@cache
def _needed_once(name: str) -> tuple[str, ...]:
    return tuple(needed_by(name))


def addresses_needed_by(name: str) -> list[str]:
    names = needed_by(name) if settings.DEBUG else _needed_once(name)
    return [staticfiles_storage.url(module) for module in names]
