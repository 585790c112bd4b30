"""Runs inside the sandbox: loads one Python player and asks it for moves.

Standard library only, and nothing of the site: this file is all that a player's process has of it.
Messages are JSON lines on the descriptors that were standard input and output; a player that prints
writes into nothing.
"""

import inspect
import json
import os
import resource
import sys
import types

LIMITS = {
    resource.RLIMIT_AS: 512 * 1024 * 1024,
    resource.RLIMIT_NPROC: 32,
    resource.RLIMIT_NOFILE: 64,
    resource.RLIMIT_FSIZE: 16 * 1024 * 1024,
    resource.RLIMIT_CORE: 0,
    resource.RLIMIT_CPU: 60,
}


class Unfit(Exception):
    """This file can't take part."""


def main(path, lib, user):
    requests = os.fdopen(os.dup(0), "r", encoding="utf-8")
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(nothing, standard)
    for limit, value in LIMITS.items():
        resource.setrlimit(limit, (value, value))
    with open(path, "rb") as file:
        source = file.read()
    become(user)

    def say(message):
        replies.write(json.dumps(message) + "\n")
        replies.flush()

    try:
        player = load(source, path, lib)
        name = player.name() if callable(player.name) else player.name
        if not isinstance(name, str) or not name.isascii() or not name.isprintable() or not name:
            raise Unfit("its name is not ASCII text")
        say({"name": name[:64]})
    except Unfit as unfit:
        say({"unfit": str(unfit)})
        return
    except SyntaxError as error:
        say({"unfit": f"syntax error in line {error.lineno}"})
        return
    except BaseException as error:
        say({"unfit": describe(error)})
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


def become(user):
    """Another user, when root started it; 0 for none."""
    if user:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)


def load(source, path, lib):
    """The one player of this file."""
    sys.path.insert(0, lib)
    module = sys.modules["player"] = types.ModuleType("player")
    module.__file__ = path
    exec(compile(source, path, "exec"), vars(module))  # noqa: S102 - the player, in its sandbox
    classes = [
        value
        for key, value in vars(module).items()
        if inspect.isclass(value) and value.__module__ == "player" and key.endswith("Player")
    ]
    if not classes:
        raise Unfit("it has no class whose name ends in Player")
    if len(set(classes)) > 1:
        raise Unfit("it has more than one class whose name ends in Player")
    player = classes[0]()
    for wanted in ("name", "take_turn"):
        if not hasattr(player, wanted):
            raise Unfit(f"its class has no {wanted}")
    return player


def plain(move):
    """The move as JSON can hold it, whatever kind of whole numbers the player uses."""
    if not isinstance(move, (list, tuple)) or len(move) not in (2, 3):
        raise ValueError
    return [*(value.__index__() for value in move[:2]), *(bool(flag) for flag in move[2:])]


def describe(error):
    return f"{type(error).__name__}: {error}"[:200]


if __name__ == "__main__":
    main(*sys.argv[1:3], int(sys.argv[3]))
