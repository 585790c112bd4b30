"""What a user name may look like."""

from __future__ import annotations

import re

from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator, MinLengthValidator, RegexValidator
from django.utils.translation import gettext_lazy as _

SHORTEST, LONGEST = 3, 20

# Names that would be taken for the site itself, or for a page of it.
RESERVED = frozenset(
    """
    about abuse account accounts admin administrator anonymous api bot bots contact contest demo
    everyone guest guests health healthz help history house leaderboard learn legal lobby login
    logout manager match me metrics minesite mod moderator news nobody null official play player
    players postmaster privacy root rules security settings signup site staff static style support
    system team terms undefined user users watch webmaster ws www you
    """.split()
)

username_characters = RegexValidator(
    re.compile(r"\A[A-Za-z0-9_-]+\Z"),
    _("A name has only letters a to z, digits, _ and -."),
    code="username_characters",
)


def not_reserved(name: str) -> None:
    # House bots are called so.
    if name.lower() in RESERVED or name.lower().endswith("-bot"):
        raise ValidationError(_("This name is reserved."), code="username_reserved")


username_validators = [
    MinLengthValidator(SHORTEST),
    MaxLengthValidator(LONGEST),
    username_characters,
    not_reserved,
]
