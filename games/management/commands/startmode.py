"""`manage.py startmode`: write a new mode that can be played at once."""

from __future__ import annotations

import re
import sys
from importlib.util import find_spec
from keyword import iskeyword
from pathlib import Path
from string import Template
from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.engine.mode import NAME
from games.engine.registry import REGISTRY

SKELETON = Path(__file__).parents[1] / "startmode_template"
ENDING = "-tpl"


class Command(BaseCommand):
    help = (
        "Writes the package of a new mode: a tiny game with a secret, a bot and a test. "
        "Example: manage.py startmode treasure-hunt ~/games. "
        "Exit code 0: written; 1: the name is taken or not allowed."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", help="the mode's name in addresses, such as treasure-hunt")
        parser.add_argument(
            "folder", nargs="?", type=Path, default=Path(), help="where to put its package"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        name: str = options["name"]
        if not NAME.fullmatch(name):
            raise CommandError(
                f"{name} can't be the name of a mode. Use 2 to 20 of a-z, 0-9 and -, "
                "with a letter first."
            )
        if name in REGISTRY:
            raise CommandError(f"There is a mode named {name} already.")
        package = name.replace("-", "_")
        target = options["folder"] / package
        if target.exists():
            raise CommandError(f"{target} exists already.")
        if taken := _taken(package):
            raise CommandError(f"{taken} Choose another name.")
        words = name.split("-")
        write(
            target,
            name=name,
            package=package,
            title=" ".join(words).capitalize(),
            class_name="".join(word.capitalize() for word in words),
        )
        self.stdout.write(_next_steps(target, package))


def _taken(package: str) -> str:
    """The reason why no package can have this name; empty if one can."""
    if iskeyword(package):
        return f"{package} is a keyword of Python."
    for config in apps.get_app_configs():
        if config.label == package:
            return f"{config.name} is installed under the name {package} already."
    found = find_spec(package)
    # Plain folders can be imported too, but don't get in the way of a package.
    if package in sys.stdlib_module_names or (found is not None and found.origin is not None):
        return f"There is a Python module named {package} already."
    return ""


def write(target: Path, **words: str) -> None:
    """Copy the skeleton, with these words in place of its variables."""
    for source in sorted(SKELETON.rglob(f"*{ENDING}")):
        path = target / re.sub(f"{ENDING}$", "", str(source.relative_to(SKELETON)))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(Template(source.read_text()).substitute(words))


def _next_steps(target: Path, package: str) -> str:
    folder = target.resolve().parent
    return f"""Wrote {target}/. It is a complete game: change rules.py into yours.

Check it:   PYTHONPATH={folder} python manage.py check_mode {package}
Play it:    PYTHONPATH={folder} EXTRA_MODES={package} python manage.py up
Read on:    docs/modes.md"""
