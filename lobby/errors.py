"""Refusals of the lobby, each with a stable code and a sentence that helps."""

from __future__ import annotations

from typing import Any, Final

CODES: Final[dict[str, str]] = {
    "account_needed": "You need an account for this. Sign up first.",
    "already_in_match": "You have a match in progress. Return to it or give up first.",
    "bad_message": "That message can't be read.",
    "bad_options": "These options aren't valid for this game.",
    "bad_size": "You can't play this mode with that many players.",
    "bad_token": "This API token isn't valid.",
    "blocked": "You can't play with this player.",
    "chat_after_end": "You can read what spectators say once the match is over.",
    "chat_closed": "This chat is closed.",
    "chat_empty": "Write something first.",
    "chat_no_links": "New accounts can't post links.",
    "chat_phrases": "You can only use quick phrases here.",
    "chat_too_fast": "You're writing too fast. Wait a moment.",
    "chat_too_long": "That message is too long.",
    "chat_words": "Please say that differently.",
    "challenge_over": "This challenge is no longer open.",
    "dealing_busy": "The site is generating too many boards right now. Try again in a moment.",
    "invite_full": "All seats in this match are taken.",
    "invite_over": "This invitation has expired or was withdrawn.",
    "match_failed": "The match couldn't start. Please queue again.",
    "muted": "A moderator has muted you. You can't challenge, invite or chat for now.",
    "no_guess_failed": "The site couldn't make a no-guess board of this size. Try fewer mines.",
    "no_rematch": "There is no rematch to answer.",
    "no_room": "The site can't store new matches right now. Try again in a few minutes.",
    "no_followers": "This player can't be followed.",
    "no_such_challenge": "That challenge doesn't exist.",
    "never_rated": "Matches of this mode are never rated.",
    "no_challenges": "This player doesn't accept challenges from you.",
    "no_such_invite": "That invitation doesn't exist.",
    "no_such_line": "That message isn't there any more.",
    "no_such_mode": "That mode doesn't exist.",
    "no_such_player": "No player has that name.",
    "no_such_phrase": "There is no such quick phrase.",
    "no_such_room": "There is no such chat.",
    "not_queued": "You're not in a queue.",
    "not_yourself": "You can't challenge yourself.",
    "player_busy": "This player is in a match.",
    "player_offline": "This player isn't online.",
    "queued_elsewhere": "You're already waiting in another tab or program.",
    "queues_closed": "The queues are closed for maintenance. Matches in progress continue.",
    "rated_needs_account": "You need an account to play rated matches.",
    "read_only_token": "This API token can read but not play.",
    "sign_in_first": "Sign in or play as a guest.",
    "solo_only": "This is a single-player mode. Start a game instead of queueing.",
    "too_fast": "Too many messages. Slow down a little.",
    "too_many_blocks": "You have blocked as many players as one can. Unblock somebody first.",
    "too_many_challenges": "You have too many open challenges.",
    "too_many_followed": "You follow as many players as one can. Unfollow somebody first.",
    "too_many_games": "You've started too many games. Wait a minute.",
    "too_many_invites": "You have too many open invitations.",
    "too_many_mutes": "You've muted too many players. Unmute someone first.",
    "too_many_reports": "You've sent too many reports. Try again in an hour.",
    "too_many_rooms": "You can't follow that many chats at once.",
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
