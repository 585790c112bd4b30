"""`manage.py demo`: something to look at on every page."""

from __future__ import annotations

import secrets
from random import Random
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.db.models.functions import Lower
from django.utils import timezone

from accounts.models import User
from games.demo.filling import NAMES, PEOPLE, make_people, play_matches

WIDTH = 40


class Command(BaseCommand):
    help = (
        "Fills a fresh database with demo accounts, finished matches and ratings. "
        "Example: manage.py demo --matches 200. "
        "Exit code 0: done; 1: the database has accounts already."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--matches", type=int, default=60, help="how many (default 60)")
        parser.add_argument("--password", help="of the accounts (default: a random one)")
        parser.add_argument("--force", action="store_true", help="also beside real accounts")

    def handle(
        self, *args: Any, matches: int, password: str | None, force: bool, **options: Any
    ) -> None:
        if matches < 1:
            raise CommandError("--matches must be 1 or more.")
        if User._meta.db_table not in connection.introspection.table_names():
            call_command("migrate", interactive=False, verbosity=0)
        if not force and User.objects.filter(kind=User.Kind.REGISTERED).exists():
            raise CommandError("This database has accounts already; --force adds to it.")
        if User.objects.annotate(low=Lower("username")).filter(
            low__in=[name.lower() for name in NAMES]
        ):
            raise CommandError("Names of the demo accounts are taken already.")
        password = password or secrets.token_urlsafe(9)
        people = make_people(password)
        done = 0
        for done, _match in enumerate(
            play_matches(people, matches, timezone.now(), Random(secrets.randbits(64))), 1
        ):
            self._progress(done, matches)
        names = ", ".join(name for name, _ in PEOPLE)
        self.stdout.write(f"{done} matches played.")
        self.stdout.write(f"accounts  {names}")
        self.stdout.write(f"password  {password}")

    def _progress(self, done: int, of: int) -> None:
        """A bar on a terminal, nothing in a file."""
        if not self.stderr.isatty():
            return
        full = WIDTH * done // of
        bar = "#" * full + "." * (WIDTH - full)
        self.stderr.write(f"\r[{bar}] {done}/{of}", ending="\n" if done == of else "")
        self.stderr.flush()
