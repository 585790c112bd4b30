"""Runs `manage.py contest`."""

from __future__ import annotations

import json
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command

from games.contest.sandbox import missing
from tests.running_site import ROOT

isolated = pytest.mark.skipif(missing() != "", reason=missing())
PLAYER = "class TestPlayer:\n    name = 'T'\n    def take_turn(self, state):\n        {}\n"


def contest(
    *arguments: str, path: str | None = None, user: int | None = None, **environment: str
) -> subprocess.CompletedProcess[str]:
    """The command, in its own process; `path` replaces PATH to hide programs from it."""
    return subprocess.run(
        [sys.executable, "manage.py", "contest", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
        env={
            "PATH": path or "/usr/local/bin:/usr/bin:/bin",
            "DATA_DIR": str(settings.DATA_DIR),
            **environment,
        },
        user=user,
        group=user,
        extra_groups=None if user is None else [],
        check=False,
    )


def players_of(*arguments: str) -> list[dict[str, Any]]:
    """The command's answer in JSON, made in this process: starting one costs more than most
    games."""
    out = StringIO()
    call_command("contest", *arguments, "--json", stdout=out, stderr=StringIO())
    return json.loads(out.getvalue())["players"]


def write(folder: Path, body: str, file: str = "p.py") -> str:
    """A player's file: a whole one, or the body of its `take_turn`."""
    path = folder / file
    path.write_text(body if "class " in body else PLAYER.format(body))
    return str(path)
