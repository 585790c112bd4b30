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
    "bad_options": "The options aren't valid for this mode.",
    "bad_action": "The action isn't valid for this mode.",
    "unknown_action": "This mode has no action of that type.",
    "not_a_player": "Only players in this match can do that.",
    "not_started": "The match hasn't started yet.",
    "already_started": "The match has already started.",
    "already_ready": "You're already ready.",
    "starting": "The match is about to start.",
    "match_over": "The match is over.",
    "finished": "You have already finished.",
    "out_of_match": "You're no longer in this match.",
    "nothing_to_claim": "Nobody has been away long enough for you to claim the win.",
    "out_of_range": "That cell isn't on the board.",
    "not_your_turn": "It isn't your turn.",
    "bad_deal": "The board doesn't match the options of the match.",
    "bad_snapshot": "The snapshot can't be read.",
}
