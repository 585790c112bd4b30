"""The standings of arenas and Swiss tournaments, computed from their games alone. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from lobby.tournaments import arena
from lobby.tournaments.games import LOSS, WIN, Entrant, Game, Result, points


@dataclass(frozen=True, slots=True)
class Line:
    """One player's line. Ties are broken from left to right; then by who joined first."""

    entrant: int
    rank: int = 0
    score: int = 0
    """Of a Swiss tournament twice the points, so that a draw is a whole number."""
    ties: tuple[int, ...] = ()
    """Arena: wins, then the average rating of opponents. Swiss: Buchholz and Sonneborn-Berger,
    twice and four times."""
    sheet: tuple[int, ...] = ()
    streak: bool = False
    games: int = 0
    marks: tuple[str, ...] = field(default=())
    """Of each round of a Swiss tournament: 1, ½, 0, + and − for forfeits, b for the bye."""

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def of_arena(entrants: Collection[Entrant], games: Iterable[Game]) -> list[Line]:
    """Best first. Players who haven't played stand behind those who have."""
    played = [game for game in games if game.was_played]
    sheets = arena.sheets(played)
    ratings = {entrant.id: entrant.rating for entrant in entrants}
    met: dict[int, list[float]] = {}
    for game in played:
        for player in (game.one, game.two):
            other = None if player is None else game.other(player)
            if player is not None and other is not None:
                met.setdefault(player, []).append(ratings.get(other, 0.0))
    lines = []
    for entrant in entrants:
        sheet = sheets.get(entrant.id, arena.Sheet())
        opponents = met.get(entrant.id, [])
        average = round(sum(sorted(opponents)) / len(opponents)) if opponents else 0
        lines.append(
            Line(
                entrant=entrant.id,
                score=sheet.total,
                ties=(sheet.wins, average),
                sheet=sheet.points,
                streak=sheet.is_on_streak,
                games=len(sheet.points),
            )
        )
    return _ranked(lines)


def of_swiss(entrants: Collection[Entrant], games: Iterable[Game]) -> list[Line]:
    """Best first. A game that nobody played (a bye, a forfeit) counts in the tie-breaks as one
    against an opponent with as many points as the player has."""
    listed = sorted(games, key=lambda game: game.number)
    total = {entrant.id: 0 for entrant in entrants}
    of_player: dict[int, list[Game]] = {entrant.id: [] for entrant in entrants}
    for game in listed:
        for player in (game.one, game.two):
            if player is not None and player in total:
                total[player] += points(game, player)
                of_player[player].append(game)
    lines = []
    for entrant in entrants:
        one, own = entrant.id, total[entrant.id]
        buchholz = berger = 0
        for game in of_player[one]:
            if game.result is Result.NONE:
                continue
            other = game.other(one)
            against = total.get(other, 0) if game.was_played and other is not None else own
            buchholz += against
            berger += against * points(game, one)
        lines.append(
            Line(
                entrant=one,
                score=own,
                ties=(buchholz, berger),
                games=sum(game.was_played for game in of_player[one]),
                marks=tuple(_mark(game, one) for game in of_player[one]),
            )
        )
    return _ranked(lines)


def _ranked(lines: list[Line]) -> list[Line]:
    """With ranks: those who are equal in everything share one."""
    lines.sort(key=lambda line: (-line.score, *(-tie for tie in line.ties), line.entrant))
    ranked: list[Line] = []
    for place, line in enumerate(lines, 1):
        before = ranked[-1] if ranked else None
        same = before is not None and (before.score, before.ties, before.games > 0) == (
            line.score,
            line.ties,
            line.games > 0,
        )
        rank = before.rank if same and before is not None else place
        ranked.append(
            Line(
                line.entrant, rank, line.score, line.ties, line.sheet, line.streak, line.games,
                line.marks,
            )
        )  # fmt: skip
    return ranked


def _mark(game: Game, player: int) -> str:
    if game.result is Result.NONE:
        return "…"
    if game.result is Result.BYE:
        return "b"
    worth = points(game, player)
    if game.was_played:
        return {WIN: "1", LOSS: "0"}.get(worth, "½")
    return "+" if worth == WIN else "−"
