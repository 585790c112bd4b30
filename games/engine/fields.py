"""Reading the fields of a JSON object that a stranger sent: closed sets, bounded numbers.

Every mode parses with these, so that all are equally strict: the value is an object, no field is
unknown, none is missing that has no default, `true` is not a number, and a number is finite and
in its bounds. Whatever comes in, the only exception is the one asked for, with a stable code and
a sentence that names the field. Nothing the stranger sent is repeated in that sentence.

    def parse_options(self, raw):
        given = options(raw, "size", "density")
        return Options(size=given.whole("size", 16, 100, 40),
                       density=given.number("density", 0.05, 0.35, 0.2))

    def parse_action(self, raw):
        kind, given = action(raw, {"claim": ("cell",), "confirm": ()})
        return Claim(given.cell()) if kind == "claim" else Confirm()
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final

from .errors import BadAction, BadOptions, GameError

LARGEST: Final = 2**53 - 1
"""The greatest whole number that every JSON reader keeps exactly."""

_REQUIRED: Final[Any] = object()


class Fields:
    """The fields of one object. A field without a default must be there."""

    __slots__ = ("_code", "_error", "_raw")

    def __init__(
        self, raw: object, allowed: Collection[str], what: str, error: type[GameError], code: str
    ) -> None:
        self._error = error
        self._code = code
        if not isinstance(raw, dict):
            raise error(code, f"{what} must be an object.")
        for key in raw:
            if key not in allowed:
                names = ", ".join(allowed) or "none"
                raise error(code, f"{what} may have these fields: {names}.")
        self._raw: dict[str, Any] = raw

    def __contains__(self, key: str) -> bool:
        return key in self._raw

    def whole(self, key: str, low: int, high: int, default: int = _REQUIRED) -> int:
        """A whole number from low to high; 1.0 and true are not whole numbers."""
        value = self._raw.get(key, default)
        if type(value) is not int or not low <= value <= high:
            raise self.bad(f"{key} must be a whole number from {low} to {high}.")
        return value

    def cell(self, key: str = "cell") -> int:
        """The number of a cell. Whether the board has it is for `check_action` to tell."""
        value = self._raw.get(key)
        if type(value) is not int or not -LARGEST <= value <= LARGEST:
            raise self.bad(f"{key} must be the number of a cell.")
        return value

    def numbers(self, key: str, least: int, most: int) -> tuple[int, ...]:
        """A list of `least` to `most` different whole numbers, such as cells."""
        value = self._raw.get(key)
        if (
            type(value) is not list
            or not least <= len(value) <= most
            or not all(type(n) is int and -LARGEST <= n <= LARGEST for n in value)
            or len(set(value)) < len(value)
        ):
            raise self.bad(f"{key} must be a list of {least} to {most} different numbers.")
        return tuple(value)

    def number(self, key: str, low: float, high: float, default: float = _REQUIRED) -> float:
        """A finite number from low to high."""
        value = self._raw.get(key, default)
        if type(value) not in (int, float) or not low <= value <= high:  # NaN fails too
            raise self.bad(f"{key} must be a number from {low} to {high}.")
        return float(value)

    def flag(self, key: str, default: bool = _REQUIRED) -> bool:
        value = self._raw.get(key, default)
        if type(value) is not bool:
            raise self.bad(f"{key} must be true or false.")
        return value

    def word(self, key: str, choices: Sequence[str], default: str = _REQUIRED) -> str:
        """One of the given words."""
        value = self._raw.get(key, default)
        if type(value) is not str or value not in choices:
            raise self.bad(f"{key} must be one of: {', '.join(choices)}.")
        return value

    def objects(self, key: str, allowed: Collection[str], most: int) -> list[Fields]:
        """A list of up to `most` objects, each with these fields."""
        value = self._raw.get(key)
        if type(value) is not list or len(value) > most:
            raise self.bad(f"{key} must be a list of at most {most} objects.")
        each = f"Each of {key}"
        return [Fields(item, allowed, each, self._error, self._code) for item in value]

    def bad(self, text: str) -> GameError:
        """The error to raise when the fields are wrong together."""
        return self._error(self._code, text)


def options(raw: object, *allowed: str) -> Fields:
    """The fields of a match's options; raises BadOptions."""
    return Fields(raw, allowed, "The options", BadOptions, "bad_options")


def action(raw: object, shapes: Mapping[str, Collection[str]]) -> tuple[str, Fields]:
    """The type of an action and its other fields, which `shapes` names per type; raises
    BadAction."""
    kind = raw.get("type") if isinstance(raw, dict) else None
    if type(kind) is not str or kind not in shapes:
        raise BadAction("unknown_action", f"The action's type must be one of: {', '.join(shapes)}.")
    allowed = ("type", *shapes[kind])
    return kind, Fields(raw, allowed, kind, BadAction, "bad_action")
