"""The quick phrases: a closed list of codes. A line stores the code, and every reader reads it in
their own language (static/chat/phrases.js has the same codes)."""

from __future__ import annotations

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

PHRASES: Final[dict[str, str | Promise]] = {
    "hello": _("Hello!"),
    "luck": _("Good luck!"),
    "fun": _("Have fun!"),
    "nice": _("Nice move!"),
    "close": _("That was close!"),
    "oops": _("Oops!"),
    "sorry": _("Sorry!"),
    "moment": _("One moment, please."),
    "thanks": _("Thanks!"),
    "played": _("Well played!"),
    "game": _("Good game!"),
    "bye": _("Bye!"),
}
