"""What players can be notified of. To add a kind, add its line to `KINDS`."""

from __future__ import annotations

from typing import Final, NamedTuple

from django.utils.translation import gettext, gettext_noop, override

from games.engine import registry


class Kind(NamedTuple):
    """Texts take `{mode}`, the title of the mode, and the other fields of the job."""

    title: str
    body: str = ""
    seconds: int = 60
    """How long it is of use; a device that is off for longer never shows it."""


KINDS: Final = {
    "matched": Kind(gettext_noop("Your match is starting"), "{mode}"),
    "turn": Kind(gettext_noop("Your turn"), "{mode}"),
    "challenge": Kind(gettext_noop("{name} challenges you to {mode}."), seconds=120),
    "rated_challenge": Kind(
        gettext_noop("{name} challenges you to a rated match of {mode}."), seconds=120
    ),
}


def texts(kind: Kind, mode: str, fields: dict[str, str], language: str) -> tuple[str, str]:
    """Title and body in this language."""
    with override(language):
        known = mode in registry.REGISTRY
        named = {**fields, "mode": gettext(registry.mode(mode).title) if known else mode}
        title = gettext(kind.title).format(**named)
        return title, gettext(kind.body).format(**named) if kind.body else ""
