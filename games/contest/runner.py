"""Runs inside the sandbox: loads one Python player and asks it for moves.

Standard library only, and nothing of the site: this file is all that a player's process has of it.
Messages are JSON lines on the descriptors that were standard input and output; a player that prints
writes into nothing.
"""

from __future__ import annotations

import inspect
import json
import os
import resource
import sys
import types
from typing import Any

LIMITS = {
    resource.RLIMIT_AS: 512 * 1024 * 1024,
    resource.RLIMIT_CORE: 0,
    resource.RLIMIT_CPU: 60,
}
SANDBOX_LIMITS = {
    resource.RLIMIT_NPROC: 32,
    resource.RLIMIT_NOFILE: 64,
    resource.RLIMIT_FSIZE: 0,
    resource.RLIMIT_MEMLOCK: 0,
}


class Unfit(Exception):
    """This file can't take part."""


def main(trust: str, path: str, lib: str) -> None:
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    limits = LIMITS if trust == "trusted" else LIMITS | SANDBOX_LIMITS
    for limit, value in limits.items():
        resource.setrlimit(limit, (value, value))

    def say(message: dict[str, Any]) -> None:
        replies.write(json.dumps(message) + "\n")
        replies.flush()

    known = {}
    try:
        player_class = load(path, lib)
        if isinstance(getattr(player_class, "name", None), str):
            known = {"name": player_class.name[:64]}
        player = player_class()
        say({"name": name_of(player)[:64]})
    except Unfit as unfit:
        say({"unfit": str(unfit)})
        return
    except BaseException as error:
        say({"error": describe(error), **known})
        return
    for line in requests:
        try:
            move = player.take_turn(json.loads(line))
        except BaseException as error:
            say({"error": describe(error)})
            return
        try:
            say({"move": plain(move)})
        except Exception:
            say({"wrong": "a move is (x, y) or (x, y, flag)"})


def name_of(player: Any) -> str:
    for wanted in ("name", "take_turn"):
        if not hasattr(player, wanted):
            raise Unfit(f"its class has no {wanted}")
    name = player.name() if callable(player.name) else player.name
    if not isinstance(name, str) or not name.isascii() or not name.isprintable() or not name:
        raise Unfit("its name is not ASCII text")
    return name


def load(path: str, lib: str) -> type[Any]:
    """The one player class of this file."""
    with open(path, "rb") as file:
        source = file.read()
    try:
        code = compile(source, path, "exec")
    except SyntaxError as error:
        raise Unfit(f"syntax error in line {error.lineno}") from error
    except ValueError as error:
        raise Unfit("it is not Python") from error
    sys.path.insert(0, lib)
    module = sys.modules["player"] = types.ModuleType("player")
    module.__file__ = path
    exec(code, vars(module))  # noqa: S102 - the player, in its sandbox
    classes = {
        value
        for key, value in vars(module).items()
        if inspect.isclass(value) and value.__module__ == "player" and key.endswith("Player")
    }
    if not classes:
        raise Unfit("it has no class whose name ends in Player")
    if len(classes) > 1:
        raise Unfit("it has more than one class whose name ends in Player")
    return classes.pop()


def plain(move: Any) -> list[int]:
    """The move as JSON can hold it, whatever kind of whole numbers the player uses."""
    if not isinstance(move, (list, tuple)) or len(move) not in (2, 3):
        raise ValueError
    return [*(value.__index__() for value in move[:2]), *(bool(flag) for flag in move[2:])]


def describe(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"[:200]


if __name__ == "__main__":
    main(*sys.argv[1:4])
