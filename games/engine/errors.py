"""Errors that a stranger's input can cause, each with a stable code and a sentence to act on."""

from __future__ import annotations

from typing import Final


class GameError(Exception):
    """Base of all refusals. `code` is stable and documented; `text` is for people."""

    def __init__(self, code: str, text: str) -> None:
        super().__init__(f"{code}: {text}")
        self.code = code
        self.text = text


class BadOptions(GameError):
    """The options of a match are not of the mode's form."""


class BadAction(GameError):
    """An action is not of the mode's form; it never reaches the rules."""


class IllegalAction(GameError):
    """A well-formed action that the rules do not allow now; nothing has changed."""


class BadDump(GameError):
    """A snapshot that this version of the engine did not write."""


# Codes that any mode may raise. A mode's own codes are in its Spec.
CODES: Final[dict[str, str]] = {
    "bad_options": "The options are not valid for this mode.",
    "bad_action": "The action is not valid for this mode.",
    "unknown_action": "This mode has no action of that type.",
    "not_a_player": "Only a player of this match can do that.",
    "not_started": "The match has not started yet.",
    "already_started": "The match has already started.",
    "already_ready": "You are ready already.",
    "match_over": "The match is over.",
    "finished": "You have finished already.",
    "out_of_match": "You are no longer in this match.",
    "nothing_to_claim": "Nobody is away for long enough to claim the win.",
    "out_of_range": "That cell is not on the board.",
    "not_your_turn": "It isn't your turn.",
    "bad_deal": "The dealt board does not fit the options of the match.",
    "bad_snapshot": "The snapshot cannot be read.",
}
