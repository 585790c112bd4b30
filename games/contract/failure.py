"""Reports of the suite about a mode that breaks its contract."""

from __future__ import annotations

from typing import Any

LONGEST = 400
"""Characters of a value that a message shows."""


class Broken(AssertionError):
    """A mode breaks a property of the contract. `seed` is the number of the match: playing that
    match again breaks the property again."""

    def __init__(
        self,
        rule: str,
        text: str,
        *,
        entry: Any = None,
        expected: Any = None,
        got: Any = None,
        seed: int | None = None,
    ) -> None:
        super().__init__(text)
        self.rule = rule
        self.text = text
        self.entry = entry
        self.expected = expected
        self.got = got
        self.seed = seed

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def lines(self) -> list[str]:
        """The sentence, then the entry and the two values, as far as there are any."""
        lines = [f"{self.rule}: {self.text}"]
        if self.seed is not None:
            lines.append(f"match: {self.seed}")
        if self.entry is not None:
            lines.append(f"entry: {shortened(self.entry)}")
        if self.expected is not None or self.got is not None:
            path, expected, got = difference(self.expected, self.got)
            if path:
                lines.append(f"at: {path}")
            lines += [f"expected: {shortened(expected)}", f"got: {shortened(got)}"]
        return lines


MISSING = "(nothing)"


def difference(expected: Any, got: Any, path: str = "") -> tuple[str, Any, Any]:
    """The place where two JSON values first differ, and the two values there."""
    if isinstance(expected, dict) and isinstance(got, dict):
        for key in [*expected, *(key for key in got if key not in expected)]:
            if key not in expected or key not in got or expected[key] != got[key]:
                inner = f"{path}.{key}" if path else str(key)
                return difference(expected.get(key, MISSING), got.get(key, MISSING), inner)
    if isinstance(expected, list) and isinstance(got, list):
        for index in range(max(len(expected), len(got))):
            mine = expected[index] if index < len(expected) else MISSING
            other = got[index] if index < len(got) else MISSING
            if mine != other:
                return difference(mine, other, f"{path}[{index}]")
    return path, expected, got


def shortened(value: Any) -> str:
    text = value.decode(errors="replace") if isinstance(value, bytes) else repr(value)
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
