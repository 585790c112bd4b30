"""`make release`: what it refuses, and what it writes."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from datetime import date
from pathlib import Path

import pytest

import minesite
from minesite import release
from tests.running_site import ROOT

TODAY = date(2026, 11, 20)
CHANGELOG = "# Changelog\n\n## Unreleased\n\n- New.\n- Newer.\n\n## 0.1.0 (2026-01-01)\n\n- Old.\n"


@pytest.mark.parametrize("version", ["1.2", "v1.2.3", "1.2.3rc1", "0.0.9"])
def test_a_version_is_three_numbers_and_not_before_the_present_one(version: str):
    with pytest.raises(release.NotReady):
        release.check_version(version, "0.1.0")


def test_versions_compare_as_numbers():
    release.check_version("0.10.0", "0.9.0")


def test_the_changelog_gets_a_section():
    text, section = release.release_changelog(CHANGELOG, "0.2.0", TODAY)
    assert section == "- New.\n- Newer."
    assert text == (
        "# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-11-20)\n\n- New.\n- Newer.\n\n"
        "## 0.1.0 (2026-01-01)\n\n- Old.\n"
    )
    assert release.tag_text("0.2.0", section) == "minesite 0.2.0\n\n- New.\n- Newer.\n"


@pytest.mark.parametrize(
    ("changelog", "version"),
    [
        ("# Changelog\n\n## Unreleased\n\n## 0.1.0 (2026-01-01)\n\n- Old.\n", "0.2.0"),
        (CHANGELOG, "0.1.0"),
    ],
)
def test_a_changelog_without_news_or_with_the_version_is_refused(changelog: str, version: str):
    with pytest.raises(release.NotReady):
        release.release_changelog(changelog, version, TODAY)


def test_a_release_needs_upgrade_notes():
    release.check_upgrade_notes("# Upgrading\n\n## 0.2.0\n", "0.2.0")
    with pytest.raises(release.NotReady):
        release.check_upgrade_notes("# Upgrading\n\n## 0.2.01\n", "0.2.0")


def test_the_present_version_has_upgrade_notes():
    text = (ROOT / "docs" / "upgrading.md").read_text()
    release.check_upgrade_notes(text, minesite.__version__)


def test_containers_get_the_site_without_its_tests(tmp_path: Path):
    target = tmp_path / "containers.tar.gz"
    files = ["deploy/Dockerfile", "manage.py", "tests/settings.py", "games/modes/race/tests/x.py"]
    release.write_containers(files, target, "0.2.0")
    with tarfile.open(target) as archive:
        assert archive.getnames() == [
            "minesite-0.2.0/deploy/Dockerfile",
            "minesite-0.2.0/manage.py",
        ]


def test_the_wheel_has_every_file_of_the_site_and_runs(tmp_path: Path):
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    wheel = release.build_wheel(tracked, tmp_path)
    assert wheel.name.startswith(f"minesite-{minesite.__version__}-")
    with zipfile.ZipFile(wheel) as archive:
        packed = set(archive.namelist())
        archive.extractall(tmp_path / "site")
    shipped = ("accounts/", "games/", "lobby/", "locale/", "minesite/", "manage.py")
    wanted = {name for name in tracked if name.startswith(shipped)}
    assert wanted - packed == {name for name in wanted if release.NOT_SHIPPED.match(name)}
    done = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=tmp_path / "site",
        env={"DATA_DIR": str(tmp_path / "var"), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
