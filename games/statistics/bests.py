"""The best result of each player on each standard board: by day, week, month and of all time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Final, NamedTuple

from games.statistics.models import Best, SoloGame
from games.statistics.periods import KEPT, PERIODS, start


class Measure(NamedTuple):
    value: Callable[[SoloGame], float]
    lower_is_better: bool

    def is_better(self, new: float, old: float) -> bool:
        return new < old if self.lower_is_better else new > old


MEASURES: Final[dict[str, Measure]] = {
    "time": Measure(lambda game: game.time_ms, lower_is_better=True),
    "speed": Measure(lambda game: game.speed, lower_is_better=False),
    "ioe": Measure(lambda game: game.ioe, lower_is_better=False),
    "rqp": Measure(lambda game: game.rqp, lower_is_better=True),
}


def may_be_best(game: SoloGame) -> bool:
    return game.counts and game.won and game.ranked and bool(game.board)


def note(game: SoloGame, who: str) -> None:
    """Make this game the best of its player wherever it is; and say on it whether its time beat
    all before. In the transaction of the archive, which holds the player's row."""
    if not may_be_best(game):
        return
    keys = {(by, period): start(period, game.ended_at) for by in MEASURES for period in PERIODS}
    before = {
        (best.by, best.period): best
        for best in Best.objects.filter(
            user_id=game.user_id,
            mode=game.mode,
            board=game.board,
            no_guess=game.no_guess,
            start__in=set(keys.values()),
        )
        if best.start == keys.get((best.by, best.period))
    }
    ever = before.get(("time", "all"))
    if ever is not None and game.time_ms < ever.value:
        game.is_best, game.best_before_ms = True, int(ever.value)
        game.save(update_fields=["is_best", "best_before_ms"])
    new, changed = [], []
    for (by, period), first_day in keys.items():
        measure, old = MEASURES[by], before.get((by, period))
        value = measure.value(game)
        if old is None:
            new.append(_best(game, who, by, period))
        elif measure.is_better(value, old.value):
            old.value, old.game, old.start = value, game, first_day
            changed.append(old)
    Best.objects.bulk_create(new)
    Best.objects.bulk_update(changed, ["value", "game"])


def _best(game: SoloGame, who: str, by: str, period: str) -> Best:
    return Best(
        user_id=game.user_id,
        who=who,
        mode=game.mode,
        board=game.board,
        no_guess=game.no_guess,
        by=by,
        period=period,
        start=start(period, game.ended_at),
        value=MEASURES[by].value(game),
        game=game,
    )


def of(games: Iterable[SoloGame], who: str, now: datetime) -> list[Best]:
    """The best results among the games of one player on one kind of board, in their order."""
    found: dict[tuple[str, str, object], Best] = {}
    for game in games:
        if not may_be_best(game):
            continue
        for by, measure in MEASURES.items():
            for period in PERIODS:
                best = _best(game, who, by, period)
                if period != "all" and best.start < (now - KEPT).date():
                    continue
                key = (by, period, best.start)
                if key not in found or measure.is_better(best.value, found[key].value):
                    found[key] = best
    return list(found.values())


def forget_old(now: datetime) -> None:
    """Periods that nobody can look at any more."""
    Best.objects.exclude(period="all").filter(start__lt=(now - KEPT).date()).delete()
