"""Looks for the files of the other player, the referee and the site."""
# reason: crashed: RuntimeError: contained

import importlib
import os
import pathlib

from attempts import attempt, report
from canary import FOLDERS


class CuriousPlayer:
    name = "curious"

    def take_turn(self, state):
        for folder in FOLDERS:
            attempt(folder, lambda folder=folder: os.listdir(folder))
        for module in ("games", "games.contest.series", "minesite.settings", "django"):
            try:
                importlib.import_module(module)
            except ImportError:
                continue
            attempt(module, lambda: None)
        if set(os.listdir("/player")) != {pathlib.Path(__file__).name, "lib"}:
            attempt("beside", lambda: None)
        report()
