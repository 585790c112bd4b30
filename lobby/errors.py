"""What the lobby refuses, with a stable code and a sentence that helps."""

from __future__ import annotations

from typing import Any, Final

CODES: Final[dict[str, str]] = {
    "already_in_match": "You have a match that is still running. Return to it, or give it up.",
    "bad_message": "That message cannot be read.",
    "bad_options": "These options aren't valid for this game.",
    "bad_size": "This mode is not played with that many players.",
    "bad_token": "This API token is not valid.",
    "blocked": "You cannot play with this player.",
    "challenge_over": "This challenge is no longer open.",
    "invite_full": "All seats of this invitation are taken.",
    "invite_over": "This invitation has expired or was withdrawn.",
    "match_failed": "The match could not be started. Please queue again.",
    "muted": "A moderator has muted you: you cannot challenge or invite for now.",
    "no_guess_failed": "No board of this size can be made that needs no guess.",
    "no_rematch": "There is no rematch to answer.",
    "no_such_challenge": "There is no such challenge.",
    "never_rated": "Matches of this mode are never rated.",
    "no_challenges": "This player does not take challenges from you.",
    "no_such_invite": "There is no such invitation.",
    "no_such_mode": "There is no such mode.",
    "no_such_player": "There is no player of that name.",
    "not_queued": "You are not in a queue.",
    "not_yourself": "You can't challenge yourself.",
    "player_busy": "This player is in a match.",
    "player_offline": "This player is not online.",
    "queued_elsewhere": "You are waiting in a queue over another connection already.",
    "queues_closed": "The queues are closed for maintenance. Running matches go on.",
    "rated_needs_account": "Rated matches need a registered account.",
    "read_only_token": "This API token may read, not play.",
    "sign_in_first": "Sign in, or begin as a guest.",
    "solo_only": "This mode is played alone: start it at once.",
    "too_fast": "Too many messages. Slow down a little.",
    "too_many_challenges": "You have too many open challenges.",
    "too_many_invites": "You have too many open invitations.",
    "too_many_wishes": "You can't join that many queues at once.",
    "unavailable": "The lobby is temporarily unavailable. Reconnecting…",
    "unknown_type": "There is no message of that type.",
    "wait_before_queueing": "You missed several matches. Wait a little before you queue again.",
}
"""Every code, with the text a player reads. docs/lobby.md says more."""


class LobbyError(Exception):
    """A refusal: nothing was changed. `extra` goes to the client beside code and text."""

    def __init__(self, code: str, text: str = "", **extra: Any) -> None:
        self.code = code
        self.text = text or CODES[code]
        self.extra = extra
        super().__init__(f"{code}: {self.text}")

    def as_json(self) -> dict[str, Any]:
        return {"code": self.code, "text": self.text, **self.extra}
