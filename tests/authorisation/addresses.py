"""Every address that Django's resolver knows, and an example of each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

from tests.authorisation.world import World

PARAMETER = re.compile(r"<(?:(?P<converter>[a-z]+):)?(?P<name>[a-z_0-9]+)>")


def routes(patterns: list[Any] | None = None, prefix: str = "") -> Iterator[str]:
    for one in get_resolver().url_patterns if patterns is None else patterns:
        route = prefix + str(one.pattern)
        if isinstance(one, URLResolver):
            yield from routes(one.url_patterns, route)
        elif isinstance(one, URLPattern):
            yield route


def example(route: str, world: World) -> str:
    """An address of this route, of things that belong to Alice where that is possible."""
    values = {
        "match_id": world.match,
        "user_id": world.alice.pk,
        "token": world.invitation,
        "puzzle_id": world.samples["puzzle"],
        "storm_id": "nosuchstorm",
        "tournament_id": world.tournament,
        "number": 1,
        "mode": "race",
        "name": "alice",
        "language": "en",
        "mark": "0",
        "span": "hour",
        "act": "kick",
        "app_label": "games",
        "url": "nowhere",
        "pk": world.alice_token.pk,
        "challenge_id": "nosuchchallenge0",
        "key": "nokey",
        "uidb36": "0",
        "content_type_id": world.samples["contenttype"],
        "object_id": world.alice.pk,
    }
    model = re.match(r"admin/[a-z]+/([a-z]+)/", route)
    if model:
        # Without a sample: one that is never there, whatever other tests have left.
        values["object_id"] = world.samples.get(model[1], 10**9)
    text = re.sub(r"\(\?P<(\w+)>[^()]*\)", lambda m: f"<{m[1]}>", route)
    text = re.sub(r"\(\?P<(\w+)>.*?\)(?=[/$-])", lambda m: f"<{m[1]}>", text)
    text = text.replace("^", "").removesuffix("$").replace("\\Z", "")
    return "/" + PARAMETER.sub(lambda m: str(values[m["name"]]), text)
