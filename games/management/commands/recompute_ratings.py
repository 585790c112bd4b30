"""`manage.py recompute_ratings`: all ratings again, from the archived matches."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from games.rating import recompute


class Command(BaseCommand):
    help = (
        "Counts all rated matches again, in their order, and says what changed. "
        "Example: manage.py recompute_ratings. "
        "Exit code 0: done, also when ratings changed."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        done = recompute()
        self.stdout.write(
            f"{done['matches']} matches counted, {done['ratings']} ratings, "
            f"{done['different']} different from before."
        )
