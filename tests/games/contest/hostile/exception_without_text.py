"""Raises an exception that can't be described."""
# reason: its process ended


class Silent(Exception):
    def __str__(self):
        raise SystemExit


class SilentPlayer:
    name = "silent"

    def take_turn(self, state):
        raise Silent
