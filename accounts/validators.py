"""Validators of user names and passwords."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, MinLengthValidator, RegexValidator
from django.utils.translation import gettext_lazy as _

SHORTEST, LONGEST = 3, 20

# Names that would be taken for the site itself, or for a page of it.
RESERVED = frozenset(
    """
    about abuse account accounts admin administrator anonymous api bot bots contact contest deleted
    demo everyone guest guests health healthz help history house leaderboard learn legal lobby login
    logout manager match me metrics minesite mod moderator news nobody null official play player
    players postmaster privacy root rules security settings signup site staff static style support
    system team terms undefined user users watch webmaster ws www you
    """.split()
)

username_characters = RegexValidator(
    re.compile(r"\A[A-Za-z0-9_-]+\Z"),
    _("A name can only contain the letters a to z, digits, _ and -."),
    code="username_characters",
)


# Letters and digits that are taken for each other at a glance, and those that stand for each other.
LOOKALIKES = str.maketrans("01i5", "olls")
LEET = str.maketrans("34", "ea")


def skeleton(name: str) -> str:
    """The shape of a name: two names with the same skeleton are easily confused. `AdminO` and
    `Adm1n_0` have the same one, and so have `barn` and `bam`, `Illy` and `l1ly`. Guests of a text
    protocol may have spaces in their names."""
    plain = re.sub(r"[-_ ]", "", name.lower()).replace("rn", "m").replace("vv", "w")
    return plain.translate(LOOKALIKES)


def looks(name: str) -> str:
    """The word that a name is meant to be read as: `Adm1n`, `a_d_m_i_n` and `4dmin` as `admin`."""
    return skeleton(name).translate(LEET)


_RESERVED_LOOKS = frozenset(map(looks, RESERVED))
_HOUSE_BOT = re.compile(r"[-_]b[o0]ts?\Z", re.IGNORECASE)


def not_reserved(name: str) -> None:
    """Refuse names that look like the site, its staff or, with -bot at the end, a house bot."""
    if looks(name) in _RESERVED_LOOKS or _HOUSE_BOT.search(name):
        raise ValidationError(_("This name is reserved."), code="username_reserved")


username_validators: list[Callable[[str], None]] = [
    MinLengthValidator(SHORTEST),
    MaxLengthValidator(LONGEST),
    username_characters,
    not_reserved,
]


class NotOfThisSite:
    """A password that is the site's name or a game's, with digits and signs around it, is among the
    first ones that are tried here."""

    def validate(self, password: str, user: Any = None) -> None:
        words = {"minesite", "minesweeper", "password", *self._games()}
        bare = re.sub(r"[^a-z]", "", password.lower())
        if bare in words or any(bare == 2 * word for word in words):
            raise ValidationError(
                _("This password is too easy to guess on this site."), code="password_of_site"
            )

    def get_help_text(self) -> str:
        return str(_("Your password can’t be the name of this site or of one of its games."))

    @staticmethod
    def _games() -> set[str]:
        from django.apps import apps

        return {
            re.sub(r"[^a-z]", "", app.label.lower().rpartition(".")[2])
            for app in apps.get_app_configs()
            if ".modes." in app.name
        }
