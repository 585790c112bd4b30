"""The import map: ES modules by their plain names, served under their hashed names.

A module can be imported as "games/board/board.js" from anywhere, or as "./board.js" from beside it;
both lead to the one hashed file.
"""

from __future__ import annotations

import json
from functools import cache

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import staticfiles_storage

APPS = ("site/", "games/", "lobby/", "accounts/")


def modules() -> list[str]:
    return sorted(
        name
        for finder in get_finders()
        for name, _storage in finder.list([])
        if name.startswith(APPS) and name.endswith(".js")
    )


def build() -> str:
    imports: dict[str, str] = {}
    for name in modules():
        url = staticfiles_storage.url(name)
        imports[name] = url
        if url != settings.STATIC_URL + name:
            imports[settings.STATIC_URL + name] = url
    # "<" could end the script element early.
    return json.dumps({"imports": imports}, separators=(",", ":")).replace("<", "\\u003c")


@cache
def _built_once() -> str:
    return build()


def import_map() -> str:
    return build() if settings.DEBUG else _built_once()
