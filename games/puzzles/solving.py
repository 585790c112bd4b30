"""Handing out puzzles one by one, and judging the answers. A registered player's first answer to
the puzzle before them is rated: it is a match between player and puzzle."""

from __future__ import annotations

from random import Random
from typing import Any, Final

from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.db.models import Count, F, Q

from accounts.models import User
from accounts.ratings import Skill, rate
from games.puzzles import choosing
from games.puzzles.answers import Refused, answer, check_cell
from games.puzzles.making import MEDIUM, TAGS
from games.puzzles.models import Attempt, Puzzle, PuzzleRating

SEEN: Final = 100
"""Puzzles that a guest's session remembers."""
SURE: Final = 1.5
"""A puzzle's difficulty stays so uncertain at least: players get better."""
VOTES_TO_RETIRE: Final = 5
IN_SESSION: Final = "puzzles"


def rating_of(user: User) -> PuzzleRating:
    return PuzzleRating.objects.get_or_create(user=user)[0]


def next_for(user: User, theme: str, random: Random) -> Puzzle:
    """The puzzle that this player has before them: the same until it is answered, of the theme
    that they ask for."""
    bit = choosing.bit_of(theme)
    if bit is None:
        raise Refused("bad_theme")
    own = rating_of(user)
    current = own.current
    if current is not None and not current.retired and (not bit or current.tags & bit):
        return current
    fresh = choosing.offered(bit).exclude(attempts__user=user)
    found = choosing.near(own.mu, fresh, random)
    if found is None:
        raise Refused("no_puzzles")
    # Two requests at once get the same puzzle, or the later one counts.
    PuzzleRating.objects.filter(pk=own.pk).update(current=found)
    return found


def attempt(user: User, puzzle: Puzzle, cell: int) -> dict[str, Any]:
    """Judge an answer. The first one counts; after it the answer is no secret, and trying again
    changes nothing."""
    check_cell(puzzle, cell)
    rating_of(user)
    with transaction.atomic():
        own = PuzzleRating.objects.select_for_update().get(user=user)
        locked = Puzzle.objects.select_for_update().get(pk=puzzle.pk)
        told = answer(locked, cell)
        if Attempt.objects.filter(user=user, puzzle=locked).exists():
            return {**told, "rated": False, "again": True}
        done = Attempt(user=user, puzzle=locked, cell=cell, correct=told["correct"], rated=False)
        if own.current_id == locked.pk:
            own.current = None
            if not locked.retired and user.kind == User.Kind.REGISTERED:
                _rate(own, locked, done)
        own.save()
        done.save()
    before, after = done.before, done.after
    rated = {"before": round(before), "after": round(after)} if before and after else None
    return {**told, "rated": done.rated, "you": rated, "streak": own.streak, "again": False}


def _rate(own: PuzzleRating, puzzle: Puzzle, done: Attempt) -> None:
    """A solved puzzle has lost against its solver."""
    before = own.skill
    ranks = [1, 2] if done.correct else [2, 1]
    after, difficulty = rate([before, Skill(puzzle.mu, puzzle.sigma)], ranks)
    own.mu, own.sigma = after
    own.attempts += 1
    own.solved += done.correct
    own.streak = own.streak + 1 if done.correct else 0
    own.best_streak = max(own.best_streak, own.streak)
    puzzle.mu, puzzle.sigma = difficulty.mu, max(difficulty.sigma, SURE)
    puzzle.attempts_rated += 1
    puzzle.solved_rated += done.correct
    puzzle.save(update_fields=["mu", "sigma", "attempts_rated", "solved_rated"])
    done.rated, done.before, done.after = True, before.strength, after.strength


def vote(user: User, puzzle: Puzzle, given: int) -> None:
    """Count a vote of a player who has tried it, in place of an earlier one; a puzzle that players
    dislike is retired."""
    if given not in (-1, 0, 1):
        raise Refused("bad_vote")
    with transaction.atomic():
        locked = Puzzle.objects.select_for_update().get(pk=puzzle.pk)
        if not Attempt.objects.filter(user=user, puzzle=locked).update(vote=given):
            raise Refused("not_attempted")
        # A puzzle that somebody picked by its address counts for no vote: a few accounts could
        # retire all of them.
        votes = locked.attempts.filter(rated=True).aggregate(
            ups=Count("pk", filter=Q(vote=1)), downs=Count("pk", filter=Q(vote=-1))
        )
        locked.ups, locked.downs = votes["ups"], votes["downs"]
        if locked.downs >= VOTES_TO_RETIRE and locked.downs > 2 * locked.ups:
            locked.retired = True
        locked.save(update_fields=["ups", "downs", "retired"])


def next_for_guest(session: SessionBase, theme: str, random: Random) -> Puzzle:
    """The same for somebody without an account: casual, remembered by the session alone."""
    bit = choosing.bit_of(theme)
    if bit is None:
        raise Refused("bad_theme")
    own = session.get(IN_SESSION) or {}
    current = Puzzle.objects.active().filter(pk=own.get("current") or 0).first()
    if current is not None and (not bit or current.tags & bit):
        return current
    seen = own.get("seen", [])
    found = choosing.near(MEDIUM - 3.0, choosing.offered(bit, seen), random)
    if found is None:
        seen = []
        found = choosing.near(MEDIUM - 3.0, choosing.offered(bit), random)
    if found is None:
        raise Refused("no_puzzles")
    session[IN_SESSION] = {**own, "current": found.pk, "seen": [*seen, found.pk][-SEEN:]}
    return found


def attempt_of_guest(session: SessionBase, puzzle: Puzzle, cell: int) -> dict[str, Any]:
    check_cell(puzzle, cell)
    told = answer(puzzle, cell)
    own = session.get(IN_SESSION) or {}
    if own.get("current") == puzzle.pk:
        streak = own.get("streak", 0) + 1 if told["correct"] else 0
        own = {**own, "current": None, "streak": streak}
        own["attempts"] = own.get("attempts", 0) + 1
        own["solved"] = own.get("solved", 0) + told["correct"]
        session[IN_SESSION] = own
    return {**told, "rated": False, "you": None, "streak": own.get("streak", 0), "again": False}


def answered(user: User, puzzle: Puzzle) -> Attempt | None:
    return Attempt.objects.filter(user=user, puzzle=puzzle).first()


def progress(user: User) -> dict[str, Any]:
    """A player's own figures: rating, streaks, and the share solved of each theme."""
    own = rating_of(user)
    by_theme = []
    for i, tag in enumerate(TAGS):
        rows = Attempt.objects.filter(user=user).annotate(theme=F("puzzle__tags").bitand(1 << i))
        counted = rows.filter(theme__gt=0).aggregate(
            tried=Count("pk"), solved=Count("pk", filter=Q(correct=True))
        )
        by_theme.append({"theme": tag, **counted})
    return {
        "rating": round(own.skill.strength),
        "attempts": own.attempts,
        "solved": own.solved,
        "streak": own.streak,
        "best_streak": own.best_streak,
        "themes": by_theme,
    }
