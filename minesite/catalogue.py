"""The texts of the JavaScript modules in one language, as JSON under an address that names its
content: cached for ever, like a static file. English needs none: its texts are in the code."""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation.trans_real import DjangoTranslation

from minesite.error_texts import error_texts

DOMAIN = "djangojs"


@cache
def _built_once(language: str) -> bytes:
    return build(language)


def locale_dirs() -> list[str]:
    """The apps' own folders of texts, then the site's, whose texts win."""
    folders = [Path(app.path) / "locale" for app in apps.get_app_configs()]
    own = [str(folder) for folder in folders if folder.is_dir()]
    return [*map(str, settings.LOCALE_PATHS), *own]


def build(language: str) -> bytes:
    """`texts` (a text, or a list of forms, per English text; errors as `error.<code>` too) and the
    rule for `plural`."""
    translation = DjangoTranslation(language, domain=DOMAIN, localedirs=locale_dirs())
    texts: dict[str, Any] = {}
    plural = "n != 1"
    merged: Any = vars(translation)["_catalog"]
    for catalogue in reversed(merged._catalogs):
        for name, text in catalogue.items():
            if name == "":
                found = re.search(r"plural=\(?([^;]+?)\)?;", text)
                plural = found.group(1) if found else plural
            elif isinstance(name, tuple):
                forms = texts.setdefault(name[0], [])
                forms += [""] * (name[1] + 1 - len(forms))
                forms[name[1]] = text
            else:
                texts[name] = text
    for code, text in error_texts():
        if text in texts:
            texts.setdefault(f"error.{code}", texts[text])
    data = {"plural": plural, "texts": texts}
    return json.dumps(data, ensure_ascii=False, sort_keys=True).encode()


def content(language: str) -> bytes:
    return build(language) if settings.DEBUG else _built_once(language)


def address(language: str) -> str:
    """The address of this language's catalogue; empty for the language of the code."""
    if language == settings.LANGUAGE_CODE or language not in dict(settings.LANGUAGES):
        return ""
    mark = hashlib.sha256(content(language)).hexdigest()[:12]
    return reverse("catalogue", args=[language, mark])


def catalogue(request: HttpRequest, language: str, mark: str) -> HttpResponse:
    if not address(language):
        raise Http404
    answer = HttpResponse(content(language), content_type="application/json")
    known = address(language) == request.path
    answer["Cache-Control"] = "public, max-age=31536000, immutable" if known else "no-store"
    return answer
