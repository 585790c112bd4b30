"""What the pages show, in the visitor's language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from accounts.models import User
from games import mode_cards
from games import selectors as games
from games.engine.mode import Mode
from games.engine.registry import REGISTRY
from games.plot import bars, line
from games.statistics import selectors
from games.statistics.bests import MEASURES
from games.statistics.models import SoloGame, Tally
from games.statistics.periods import PERIODS
from games.statistics.selectors import Board

RECENT = 10
SMOOTHED = 5
FEW = 5
"""Wins from which on there is a plot."""


def period_titles() -> dict[str, str]:
    return dict(zip(PERIODS, (_("Today"), _("Week"), _("Month"), _("All time")), strict=True))


def measure_titles() -> dict[str, str]:
    return dict(zip(MEASURES, (_("Time"), "3BV/s", "IOE", "RQP"), strict=True))


def board_titles(mode: Mode, custom: bool = True) -> dict[str, str]:
    """The boards of a mode by name: the presets, and all others together."""
    titles = {preset.name: _(preset.title) for preset in mode.presets}
    return titles | {"": pgettext("boards", "Others")} if custom else titles


def chosen_mode(query: QueryDict) -> Mode:
    """The mode that the address names, or the first one with figures."""
    found = selectors.figure_modes()
    name = query.get("mode", found[0].name if found else "")
    for mode in found:
        if mode.name == name:
            return mode
    raise Http404


def chosen_board(query: QueryDict, mode: Mode, tallies: Sequence[Tally], custom: bool) -> Board:
    """The board that the address names; without one, the board played most."""
    most = next((t for t in tallies if t.mode == mode.name and (custom or t.board)), None)
    first = mode.presets[0].name if mode.presets else ""
    name = query.get("board", most.board if most else first)
    if name not in board_titles(mode, custom):
        raise Http404
    if "no_guess" in query:
        no_guess = one_of(query.get("no_guess", ""), ("0", "1")) == "1"
    elif most is not None and most.board == name:
        no_guess = most.no_guess
    else:
        no_guess = False
    return Board(mode.name, name, no_guess)


def one_of(value: str, allowed: Sequence[str] | dict[str, Any]) -> str:
    if value not in allowed:
        raise Http404
    return value


def choices(mode: Mode, board: Board, custom: bool = True) -> dict[str, Any]:
    """The tabs of a page about boards."""
    return {
        "mode": mode.name,
        "figure_modes": [(one.name, _(one.title)) for one in selectors.figure_modes()],
        "boards": board_titles(mode, custom).items(),
        "board": board,
        "board_query": urlencode(
            {"mode": mode.name, "board": board.name, "no_guess": int(board.no_guess)}
        ),
        "board_title": board_titles(mode)[board.name],
    }


def player_figures(player: User, query: QueryDict) -> dict[str, Any]:
    """One player's figures on one kind of board, and the accuracy of their moves in all modes."""
    mode = chosen_mode(query)
    tallies = selectors.tallies(player.pk)
    board = chosen_board(query, mode, tallies, custom=True)
    last = selectors.last_games(player.pk, board)
    tally = next((t for t in tallies if _is_on(t, board)), None)
    wins = [game for game in reversed(last) if game.won and game.counts]
    return {
        **choices(mode, board),
        "tally": tally and _summary(tally),
        "bests": selectors.bests(player.pk, board),
        "plots": _plots(wins),
        "recent": last[:RECENT],
        "held": sum(game.state == SoloGame.State.HELD for game in last),
        "accuracy": accuracy_rows(player.pk),
    }


def _is_on(tally: Tally, board: Board) -> bool:
    return (tally.mode, tally.board, tally.no_guess) == (board.mode, board.name, board.no_guess)


def _summary(tally: Tally) -> dict[str, Any]:
    clicks = tally.reveals + tally.flags + tally.chords
    kinds = (
        ("reveal", _("Reveals"), tally.reveals),
        ("flag", _("Flags"), tally.flags),
        ("chord", _("Chords"), tally.chords),
    )
    return {
        "played": tally.played,
        "won": tally.won,
        "win_percent": 100 * tally.won / tally.played if tally.played else 0.0,
        "streak": tally.streak,
        "best_streak": tally.best_streak,
        "mean_ms": tally.won_ms // tally.won if tally.won else None,
        "speed": tally.bbbv_done * 1000 / tally.all_ms if tally.all_ms else 0.0,
        "ioe": tally.bbbv_done / clicks if clicks else 0.0,
        "clicks": clicks,
        "kinds": [(kind, title, n, 100 * n / clicks if clicks else 0) for kind, title, n in kinds],
        "bars": _click_bars([(kind, n) for kind, _title, n in kinds], clicks),
    }


def _click_bars(kinds: Sequence[tuple[str, int]], clicks: int) -> list[dict[str, str]]:
    """A bar of 100 units: where the part of each kind begins, and how wide it is."""
    found, x = [], 0.0
    for kind, number in kinds:
        width = 100 * number / clicks if clicks else 0.0
        found.append({"kind": kind, "x": f"{x:.2f}", "width": f"{width:.2f}"})
        x += width
    return found


def _plots(wins: Sequence[SoloGame]) -> list[dict[str, Any]]:
    """Progress and distribution of the last wins, the oldest first."""
    if len(wins) < FEW:
        return []
    seconds = [game.time_ms / 1000 for game in wins]
    return [
        {"title": _("Time per win"), "line": line(_smoothed(seconds)), "unit": "s"},
        {"title": _("Distribution of times"), "bars": bars(seconds), "unit": "s"},
        {"title": _("3BV/s per win"), "line": line(_smoothed([g.speed for g in wins])), "unit": ""},
        {"title": _("IOE per win"), "line": line(_smoothed([g.ioe for g in wins])), "unit": ""},
    ]


def _smoothed(values: Sequence[float]) -> list[float]:
    """Means of a few neighbours, so that progress shows through luck with the boards."""
    window = min(SMOOTHED, len(values) - 1)
    return [sum(values[i : i + window]) / window for i in range(len(values) - window + 1)]


def accuracy_rows(user_id: int) -> list[dict[str, Any]]:
    """By mode: the accuracy, the luck, and both ratings."""
    ratings = {rating.mode: rating for rating in games.ratings_of(user_id)}
    return [
        {
            "title": mode_cards.title_of(row.mode),
            "matches": row.matches,
            "percent": row.percent,
            "luck": row.luck,
            "rating": ratings.get(row.mode),
            "luck_free": row.rating,
            "rated": row.mode in REGISTRY and REGISTRY[row.mode].may_be_rated,
        }
        for row in selectors.mode_accuracies(user_id)
        if row.matches
    ]
