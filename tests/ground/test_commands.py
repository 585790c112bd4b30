"""Every management command of ours explains itself: what it does, an example, its exit codes."""

from __future__ import annotations

import re
import shlex
from argparse import Action, ArgumentParser
from typing import Any

import pytest
from django.core.management import get_commands, load_command_class

OURS = sorted(
    (name, app)
    for name, app in get_commands().items()
    if isinstance(app, str) and app.startswith(("accounts", "games", "lobby", "minesite"))
)
EXAMPLE = re.compile(r"Example: manage\.py (?P<command>.+?)\. Exit code 0: ")


@pytest.mark.parametrize(("name", "app"), OURS)
def test_help_has_an_example_that_parses_and_the_exit_codes(name: str, app: str):
    command = load_command_class(app, name)
    found = EXAMPLE.search(command.help)
    assert found, f"end the help of {name} with `Example: manage.py {name} …. Exit code 0: …`"
    called, *arguments = shlex.split(found["command"])
    assert called == name
    command.create_parser("manage.py", name).parse_args(arguments)


class Recording(ArgumentParser):
    def __init__(self) -> None:
        self.added: list[Action] = []
        super().__init__()

    def add_argument(self, *args: Any, **options: Any) -> Action:
        self.added.append(super().add_argument(*args, **options))
        return self.added[-1]


@pytest.mark.parametrize(("name", "app"), OURS)
def test_every_argument_is_explained(name: str, app: str):
    parser = Recording()
    load_command_class(app, name).add_arguments(parser)
    assert [action.dest for action in parser.added if not action.help] == []


def test_there_are_commands_in_every_app_that_has_some():
    assert {app for _name, app in OURS} >= {"accounts", "games", "minesite"}
