from __future__ import annotations

import pytest

from accounts.models import User
from games.puzzles import stock
from games.puzzles.models import Puzzle


@pytest.fixture
def few(db: None, monkeypatch: pytest.MonkeyPatch) -> list[Puzzle]:
    """A site with twelve puzzles of the stock."""
    made = list(stock.read())[:12]
    stock.store(made, Puzzle.Source.STOCK)
    return list(Puzzle.objects.order_by("pk"))


@pytest.fixture
def ada(db: None) -> User:
    return User.objects.create_user("Ada", password="x")
