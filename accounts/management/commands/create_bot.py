"""`manage.py create_bot NAME`: an account for a program, with its first token."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from accounts.models import User
from accounts.tokens import SCOPES, issue


class Command(BaseCommand):
    help = (
        "Makes an account of kind bot and prints its API token, which is shown only once. "
        "Example: manage.py create_bot clever-clara. "
        "Exit code 0: made; 1: the name is taken or not allowed."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="3 to 20 letters, digits, _ or -")

    @transaction.atomic
    def handle(self, *args: Any, name: str, **options: Any) -> None:
        user = User(username=name, kind=User.Kind.BOT)
        user.set_unusable_password()
        try:
            user.full_clean()
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        user.save()
        self.stdout.write(issue(user, "first", SCOPES)[1])
