"""Is a mode declared completely, with options that its rules read the same way?"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from dataclasses import asdict
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any, Final

from games.bots.roster import ROSTER
from games.engine.errors import GameError
from games.engine.game import MAX_SEATS, Rules
from games.engine.mode import Mode
from games.engine.options import Flag, Option, Word
from games.engine.registry import REGISTRY

from .failure import Broken
from .subject import Subject

DECLARED = "the declaration is complete"
SLUG: Final = re.compile(r"[a-z][a-z0-9_-]*")
IMPURE: Final = {
    *("asyncio", "datetime", "os", "random", "secrets", "socket", "threading", "time", "uuid"),
    *("django", "channels", "redis", "requests"),
}
"""Modules that rules may not import: a replay would not repeat what they read there."""


def check_declaration(subject: Subject) -> None:
    """Raises Broken with everything that is missing or wrong."""
    if problems := [*_of_spec(subject), *_of_mode(subject.mode, subject.package)]:
        raise Broken(DECLARED, " ".join(problems))


def _of_spec(subject: Subject) -> Iterator[str]:
    spec = subject.game.spec
    if not 1 <= spec.min_seats <= spec.max_seats <= MAX_SEATS:
        yield f"spec: 1 <= min_seats <= max_seats <= {MAX_SEATS} must hold."
    if spec.version < 1:
        yield "spec.version starts at 1."
    if not spec.actions:
        yield "spec.actions is empty: players could do nothing."
    for code, text in spec.codes.items():
        if not text.endswith("."):
            yield f"spec.codes[{code!r}] is not a sentence: it has no full stop."
    try:
        subject.game.parse_options({})
    except GameError as error:
        yield f"parse_options({{}}) must give the defaults: {error.text}"


def _of_mode(mode: Mode, package: str) -> Iterator[str]:
    if mode.name in REGISTRY and REGISTRY.package(mode.name) != package:
        yield f"{REGISTRY.package(mode.name)} has the name {mode.name} already."
    if missing := [name for name in _methods() if not callable(getattr(mode.rules, name, None))]:
        yield f"The rules lack {', '.join(missing)}. BoardRules has defaults for most."
        return
    yield from _of_texts(mode)
    yield from _of_options(mode)
    yield from _of_presets(mode)
    yield from missing_files(mode, package)
    yield from _of_bot(mode)
    yield from _of_rules(mode, package)


def _methods() -> list[str]:
    """The methods that a mode's rules must have."""
    return [name for name, _ in inspect.getmembers(Rules, inspect.isfunction) if name[0] != "_"]


def _of_texts(mode: Mode) -> Iterator[str]:
    if not mode.title.strip():
        yield "MODE.title is empty."
    for name, text in [("blurb", mode.blurb), *(("in_short", line) for line in mode.in_short)]:
        if not text.strip().endswith((".", "!", "?")):
            yield f"MODE.{name} is not a sentence: {text!r}."


def _of_options(mode: Mode) -> Iterator[str]:
    names = [option.name for option in mode.options]
    for name in {name for name in names if names.count(name) > 1}:
        yield f"MODE.options has {name} twice."
    try:
        defaults = asdict(mode.rules.parse_options({}))
    except (GameError, TypeError) as error:
        yield f"parse_options({{}}) must return a dataclass with the defaults: {error}."
        return
    for option in mode.options:
        yield from _of_option(mode, option, defaults)


def _of_option(mode: Mode, option: Option, defaults: dict[str, Any]) -> Iterator[str]:
    name = option.name
    if not option.label:
        yield f"The option {name} has no label."
    if not isinstance(option, Flag | Word) and not option.low <= option.default <= option.high:
        yield f"The default of {name} is not in its range."
    if name not in defaults:
        yield f"parse_options() returns nothing named {name}, which MODE.options declares."
    elif defaults[name] != option.default:
        yield (
            f"The default of {name} is {option.default!r} in MODE.options "
            f"and {defaults[name]!r} in parse_options()."
        )
    values = [] if isinstance(option, Flag) else [value for value, _ in option.choices]
    for value in [option.default, *values]:
        try:
            mode.rules.parse_options({name: value})
        except GameError as error:
            yield f"parse_options() refuses {name} = {value!r}: {error.text}"


def _of_presets(mode: Mode) -> Iterator[str]:
    names = [preset.name for preset in mode.presets]
    for preset in mode.presets:
        if not SLUG.fullmatch(preset.name) or names.count(preset.name) > 1:
            yield f"The preset {preset.name!r} needs a name of its own, of a-z, 0-9 and -."
        if not preset.title:
            yield f"The preset {preset.name} has no title."
        if preset.size is not None and not mode.seats[0] <= preset.size <= mode.seats[1]:
            yield f"The preset {preset.name} is for {preset.size} players, the mode is not."
        try:
            mode.rules.parse_options(dict(preset.options))
        except GameError as error:
            yield f"parse_options() refuses the preset {preset.name}: {error.text}"


def missing_files(mode: Mode, package: str) -> Iterator[str]:
    """A sentence for each declared part whose file is not there."""
    for part in sorted(mode.parts):
        path = part_path(mode.name, part)
        if not (folder_of(package) / path).is_file():
            yield f"MODE.parts has {part}, but there is no {path}."


def folder_of(package: str) -> Path:
    """The folder of a package that has been imported."""
    return Path(inspect.getfile(sys.modules[package])).parent


def part_path(name: str, part: str) -> str:
    """The path of one of a mode's parts, from its own folder."""
    if part == "rules":
        return f"templates/modes/{name}/rules.html"
    return f"static/modes/{name}/{'style.css' if part == 'style' else part + '.js'}"


def _of_bot(mode: Mode) -> Iterator[str]:
    if mode.bot is None:
        return
    try:
        bot = mode.bot(ROSTER[0], Random(0))
    except Exception as error:
        yield f"MODE.bot(character, random) raised {type(error).__name__}: {error}."
        return
    if not callable(getattr(bot, "decide", None)):
        yield "MODE.bot(character, random) must have a method decide(view, now)."


def _of_rules(mode: Mode, package: str) -> Iterator[str]:
    """Rules read no clock, no chance and no world: only then do replays repeat them. The class
    Random alone is harmless, and a bot in the same file needs it."""
    for path, names in _imported_by(type(mode.rules).__module__, package):
        for name in names:
            if name.split(".")[0] in IMPURE:
                yield (
                    f"{path.name} imports {name}. Rules take the time from their arguments "
                    "and chance from the seed (games.engine.rng), or replays would differ."
                )


def _imported_by(module: str, package: str) -> Iterator[tuple[Path, list[str]]]:
    """Follows imports from a module inside the package: the files, and what each imports."""
    waiting, seen = [module], {module}
    while waiting:
        module = waiting.pop()
        if (path := _source(module)) is None:
            continue
        home = module if path.name == "__init__.py" else module.rpartition(".")[0]
        tree = ast.parse(path.read_text())
        names = [name for node in ast.walk(tree) for name in _imports(node, home)]
        yield path, names
        own = {name for name in names if f"{name}.".startswith(f"{package}.")}
        # `from .module import name`, where the name can be a module too
        own |= {name.rpartition(".")[0] for name in own if _source(name) is None}
        waiting += sorted(own - seen)
        seen |= own


def _source(module: str) -> Path | None:
    """The file of a module; None if it isn't a module, or isn't written in Python."""
    try:
        found = find_spec(module)
    except (ImportError, ValueError):
        return None
    origin = found and found.origin
    return Path(origin) if origin and origin.endswith(".py") else None


def _imports(node: ast.AST, home: str) -> list[str]:
    """The full names that a statement of a module in the package `home` imports."""
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if not isinstance(node, ast.ImportFrom):
        return []
    names = [alias.name for alias in node.names]
    if not node.level and node.module == "random" and names == ["Random"]:
        return []
    base = home.split(".")[: home.count(".") + 2 - node.level] if node.level else []
    base += [node.module] if node.module else []
    return [".".join([*base, name]) for name in names]
