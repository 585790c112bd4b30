from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.live.setup import UnknownRules
from games.models import Match
from games.replay import problems, replay


class Command(BaseCommand):
    help = (
        "Plays an archived match again from its log and checks result, views and commitment. "
        "Example: manage.py verify_match x9k5o4atifxf. "
        "Exit code 0: the match is as its log says; 1: it isn't, or there is no such match."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("match", help="the id of a finished match")

    def handle(self, *args: Any, **options: Any) -> None:
        match = Match.objects.prefetch_related("seats").filter(pk=options["match"]).first()
        if match is None:
            raise CommandError(f"There is no match {options['match']}.")
        try:
            found = problems(match)
        except UnknownRules as error:
            raise CommandError(f"The rules of this match are not here: {error}.") from error
        if found:
            raise CommandError(f"Match {match.pk}: " + "; ".join(found) + ".")
        again = replay(match)
        self.stdout.write(f"Match {match.pk} ({match.mode}) is as its log says.")
        self.stdout.write(f"entries     {len(again.entries)}")
        self.stdout.write(f"seed        {match.seed}")
        self.stdout.write(f"commitment  {match.commitment}")
        self.stdout.write(f"final state {again.final_hash()}")
