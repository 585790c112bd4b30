"""Links to pages of higher apps.

An app links to pages above it by the name of a place, and the app with the page says which view
that is when it starts: `lobby` calls `provide(front="lobby:front")`. So no app knows the addresses
of those above it.
"""

from __future__ import annotations

from typing import Any

from django.urls import reverse

_VIEWS: dict[str, str] = {}


def provide(**views: str) -> None:
    """Name the view that shows each of these places."""
    _VIEWS.update(views)


def url(place: str, *args: Any) -> str:
    """The address of a place; KeyError when no installed app provides it."""
    return reverse(_VIEWS[place], args=args)
