"""`manage.py check_mode`: run the contract suite over a mode, installed or only importable."""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from django.apps import apps
from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from games.contract.declaration import DECLARED
from games.contract.failure import Broken
from games.contract.subject import Subject, subject
from games.contract.suite import Result, run
from games.engine.mode import Mode
from games.engine.registry import REGISTRY

WIDTH = 31
"""Of the column with the names of the properties."""


class Command(BaseCommand):
    help = (
        "Checks that a mode keeps the contract: plays random matches and compares what must agree. "
        "Example: manage.py check_mode MODE --matches 100. "
        "Exit code 0: it does; 1: it doesn't, and the output says how to repeat the match."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "modes",
            nargs="*",
            metavar="package.app",
            help="packages with a mode.py, or names of installed modes; all of these by default",
        )
        parser.add_argument("--matches", type=int, default=500, help="random matches to play")
        parser.add_argument("--pairs", type=int, default=250, help="pairs of states to compare")
        parser.add_argument("--seed", type=int, default=0, help="the number of the first match")

    def handle(self, *args: Any, **options: Any) -> None:
        packages = [package_of(name) for name in options["modes"] or REGISTRY]
        broken = 0
        for package in packages:
            broken += not self.check_one(loaded(package), options)
        if broken:
            text = (
                "This mode breaks its contract."
                if len(packages) == 1
                else (f"{broken} of {len(packages)} modes break their contract.")
            )
            raise CommandError(text, returncode=1)

    def check_one(self, mode: Subject, options: dict[str, Any]) -> bool:
        self.stdout.write(f"{mode.mode.title} ({mode.package})")
        begin = since = time.monotonic()
        count = 0
        with Bars() as bars:
            results = self.results(mode, options, bars)
            for result in results:
                bars.close()
                now = time.monotonic()
                self.tell(mode, result, now - since)
                since, count = now, count + 1
                if result.broken is not None:
                    return False
        seconds = time.monotonic() - begin
        self.stdout.write(self.style.SUCCESS(f"{count} properties hold. {seconds:.1f} s"))
        return True

    def results(self, mode: Subject, options: dict[str, Any], bars: Bars) -> Iterator[Result]:
        if taken := label_taken(mode.package):
            yield Result(DECLARED, taken, Broken(DECLARED, taken))
            return
        matches, pairs = options["matches"], options["pairs"]
        yield from run(
            mode,
            matches=-(-matches // mode.weight),
            pairs=-(-pairs // mode.weight),
            seed=options["seed"],
            progress=bars.show,
        )

    def tell(self, mode: Subject, result: Result, seconds: float) -> None:
        took = f"  {seconds:.1f} s" if seconds >= 0.1 else ""
        line = f"{result.rule:{WIDTH}}{result.text}"
        if result.broken is None:
            self.stdout.write(f"  {self.style.SUCCESS('ok')}      {line}{took}")
            return
        self.stdout.write(f"  {self.style.ERROR('broken')}  {line}")
        for detail in result.broken.lines()[1:]:
            self.stdout.write(f"          {detail}")
        if result.repeat:
            self.stdout.write(
                f"          repeat: python manage.py check_mode {mode.package} {result.repeat}"
            )
        if (cause := result.broken.__cause__) is not None:
            self.stdout.write("".join(traceback.format_exception(cause)))


class Bars:
    """A bar for the stage that runs, on a terminal."""

    def __init__(self) -> None:
        self.bar: tqdm[Any] | None = None

    def __enter__(self) -> Bars:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def show(self, what: str, done: int, total: int) -> None:
        if self.bar is None:
            # disable=None: no bar where nobody watches it
            self.bar = tqdm(total=total, desc=f"  {what}", leave=False, disable=None)
        self.bar.update(done - self.bar.n)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.close()
            self.bar = None


def package_of(name: str) -> str:
    return REGISTRY.package(name) if name in REGISTRY else name


def loaded(package: str) -> Subject:
    """The mode of a package that need not be installed. Tells what is missing."""
    if "" not in sys.path:
        sys.path.append("")
    try:
        module = import_module(f"{package}.mode")
    except ModuleNotFoundError as error:
        if error.name and f"{package}.mode.".startswith(f"{error.name}."):
            text = f"There is no {package}.mode. Name a package that holds a mode.py."
            raise CommandError(text) from error
        raise
    mode = getattr(module, "MODE", None)
    if not isinstance(mode, Mode):
        raise CommandError(f"{package}.mode has no MODE that is a games.engine.mode.Mode.")
    return subject(mode, package)


def label_taken(package: str) -> str:
    """Django knows an app by the last part of its package."""
    label = package.rpartition(".")[2]
    for config in apps.get_app_configs():
        if config.label == label and config.name != package:
            return f"{config.name} is installed under the name {label} already."
    return ""
