"""`manage.py check_mode` and `startmode`."""

from __future__ import annotations

import io
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.running_site import ROOT


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder for packages, which can be imported from while the test runs."""
    monkeypatch.syspath_prepend(tmp_path)
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        if str(tmp_path) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


def said(*arguments: str, **options: object) -> str:
    out = io.StringIO()
    call_command(*arguments, **options, stdout=out, no_color=True)
    return out.getvalue()


def failing(*arguments: str, **options: object) -> str:
    """The output of a command that fails."""
    out = io.StringIO()
    with pytest.raises(CommandError) as caught:
        call_command(*arguments, **options, stdout=out, no_color=True)
    return f"{out.getvalue()}{caught.value}"


def test_an_installed_mode_is_checked_by_its_name() -> None:
    text = said("check_mode", "race", matches=20, pairs=5)
    assert text.startswith("Race (games.modes.race)\n")
    assert "ok      replays equal the match        20 logs replayed" in text
    assert "properties hold." in text


def test_the_skeleton_passes_as_it_is(packages: Path) -> None:
    text = said("startmode", "treasure-hunt", str(packages))
    assert "EXTRA_MODES=treasure_hunt python manage.py up" in text
    assert "docs/modes.md" in text
    report = said("check_mode", "treasure_hunt", matches=150, pairs=60)
    assert "Treasure hunt (treasure_hunt)" in report
    assert "pairs of states" in report
    assert "never" not in report


def test_the_tests_of_the_skeleton_pass(packages: Path) -> None:
    said("startmode", "treasure-hunt", str(packages))
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(packages)],
        cwd=packages,
        env={"PYTHONPATH": f"{packages}:{ROOT}", "PATH": ""},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout


def test_a_failure_tells_how_to_repeat_it(packages: Path) -> None:
    said("startmode", "leaky", str(packages))
    rules = packages / "leaky" / "rules.py"
    told = "board.scores = self.scores(state)"
    rules.write_text(rules.read_text().replace(told, "board.scores = [state.treasure % 2, 0]"))
    text = failing("check_mode", "leaky", matches=20, pairs=20)
    assert "broken  secrets stay secret" in text
    assert "at: game.scores[0]" in text
    assert "This mode breaks its contract." in text
    repeat = text.split("repeat: python manage.py ")[1].splitlines()[0].split()
    again = failing(*repeat)
    assert again.splitlines()[-5:] == text.splitlines()[-5:]


def test_a_crash_shows_where(packages: Path) -> None:
    said("startmode", "crashing", str(packages))
    rules = packages / "crashing" / "rules.py"
    told = "state.turn = 1 - seat"
    rules.write_text(rules.read_text().replace(told, "state.turn = 1 // 0"))
    text = failing("check_mode", "crashing", matches=20, pairs=0)
    assert "broken  random play" in text
    assert "the mode raised ZeroDivisionError" in text
    assert "state.turn = 1 // 0" in text


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("check_mode", "no.such.app"), "There is no no.such.app.mode."),
        (("check_mode", "games.engine"), "games.engine.mode has no MODE"),
        (("startmode", "Treasure"), "Treasure can't be the name of a mode."),
        (("startmode", "race"), "There is a mode named race already."),
        (("startmode", "class"), "class is a keyword of Python. Choose another name."),
        (("startmode", "json"), "There is a Python module named json already."),
        (("startmode", "redis"), "There is a Python module named redis already."),
        (("startmode", "lobby"), "lobby is installed under the name lobby already."),
        (("startmode", "auth"), "django.contrib.auth is installed under the name auth already."),
    ],
)
def test_mistakes_are_explained(
    arguments: tuple[str, ...], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert sentence in failing(*arguments)


def test_a_folder_is_never_overwritten(packages: Path) -> None:
    said("startmode", "twice", str(packages))
    assert "exists already." in failing("startmode", "twice", str(packages))


def test_an_app_of_that_name_is_in_the_way(packages: Path) -> None:
    said("startmode", "other", str(packages / "mine"))
    (packages / "mine" / "__init__.py").touch()
    (packages / "mine" / "other").rename(packages / "mine" / "lobby")
    text = failing("check_mode", "mine.lobby", matches=5, pairs=5)
    assert "broken  the declaration is complete" in text
    assert "lobby is installed under the name lobby already." in text


def test_another_missing_module_is_not_taken_for_the_mode(packages: Path) -> None:
    said("startmode", "treasure-hunt", str(packages))
    mode = packages / "treasure_hunt" / "mode.py"
    mode.write_text(f"{mode.read_text()}\nimport treasure\n")
    with pytest.raises(ModuleNotFoundError, match="No module named 'treasure'"):
        said("check_mode", "treasure_hunt")


def test_only_the_match_that_failed_is_repeated(packages: Path) -> None:
    said("startmode", "scoring", str(packages))
    rules = packages / "scoring" / "rules.py"
    told = "board.scores = self.scores(state)"
    wrong = "board.scores = self.scores(state) * len(state.holes)"
    rules.write_text(rules.read_text().replace(told, wrong))
    text = failing("check_mode", "scoring", matches=40, pairs=0)
    assert "broken  boards have the common format" in text
    repeat = text.split("repeat: python manage.py ")[1].splitlines()[0].split()
    assert repeat[-4:] == ["--matches", "1", "--pairs", "0"]
    assert failing(*repeat).splitlines()[-4:] == text.splitlines()[-4:]
