"""What players can be notified of: a closed list, to which each app adds its kinds when it starts.

    register("follower", Kind(gettext_noop("{name} follows you."), icon="people"))

docs/accounts.md has a row for each kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from django.utils.translation import gettext, override


class Kind(NamedTuple):
    """Texts take the fields of a notification's data, as in `{name}`."""

    title: str
    body: str = ""
    seconds: int = 0
    """How long a device that was off should still show it; 0: devices are not told."""
    icon: str = "info"
    """Of site/icons.svg."""
    alerts: bool = True
    """Pages that are open say so when it comes. False: they show it in some other way."""
    is_kept: bool = True
    """False: only devices are told, and the bell has nothing of it."""
    names_player: bool = True
    """A field `name` is a player's. False: it is the name of something else."""


KINDS: Final[dict[str, Kind]] = {}
READERS: Final[dict[str, Callable[[str], str]]] = {}
"""By field: how its value reads in the present language."""


def register(name: str, kind: Kind) -> None:
    """Add a kind; ValueError when another one has this name."""
    if KINDS.setdefault(name, kind) != kind:
        raise ValueError(f"There are two kinds of notification named {name}.")


def read_field(field: str, reader: Callable[[str], str]) -> None:
    """Show the values of this field as `reader` says: `mode` is stored by its name."""
    READERS[field] = reader


def texts(kind: Kind, data: Mapping[str, str], language: str = "") -> tuple[str, str]:
    """Title and body, in this language or the present one. A field that is missing stays empty:
    data may be older than a text."""
    if language:
        with override(language):
            return texts(kind, data)
    shown = _Fields({k: READERS[k](v) if k in READERS else v for k, v in data.items()})
    title = gettext(kind.title).format_map(shown)
    return title, gettext(kind.body).format_map(shown) if kind.body else ""


class _Fields(dict[str, str]):
    def __missing__(self, field: str) -> str:
        return ""
