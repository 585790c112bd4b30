"""Makes a release: `make release VERSION=1.2.0`.

Writes the version and the changelog's section, records the release for the upgrade tests of later
ones, and puts into `dist/`: the wheel, the files for containers, and the text of the tag. It
commits, tags and uploads nothing; it prints the commands that do.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tarfile
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from minesite import __version__

ROOT: Final = Path(__file__).resolve().parents[1]
DIST: Final = ROOT / "dist"
VERSION: Final = re.compile(r"\d+\.\d+\.\d+")
UNRELEASED: Final = "## Unreleased\n"
NOT_SHIPPED: Final = re.compile(r"(tests|bench|\.ci)/|games/modes/\w+/tests/")


class NotReady(Exception):
    """There can't be a release now; the text is the reason, in one sentence."""


def check_version(new: str, old: str) -> None:
    if not VERSION.fullmatch(new):
        raise NotReady(f"{new!r} is no version; name one like 1.2.0.")
    if _numbers(new) < _numbers(old):
        raise NotReady(f"{new} is before {old}, the present version.")


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


def release_changelog(changelog: str, version: str, today: date) -> tuple[str, str]:
    """The changelog with a section of this version, and that section's text."""
    before, found, rest = changelog.partition(UNRELEASED)
    section = re.split(r"^## ", rest, maxsplit=1, flags=re.MULTILINE)[0].strip()
    if not found or not section:
        raise NotReady("CHANGELOG.md has nothing under `## Unreleased`.")
    if f"\n## {version} " in changelog:
        raise NotReady(f"CHANGELOG.md has a section for {version} already.")
    heading = f"## {version} ({today.isoformat()})\n"
    return f"{before}{UNRELEASED}\n{heading}{rest}", section


def check_upgrade_notes(text: str, version: str) -> None:
    if not re.search(rf"^## {re.escape(version)}$", text, re.MULTILINE):
        raise NotReady(
            f"docs/upgrading.md has no section `## {version}`. Say there what operators have to "
            "do, or that a restart is enough."
        )


def tag_text(version: str, section: str) -> str:
    return f"minesite {version}\n\n{section}\n"


def write_containers(files: list[str], target: Path, version: str) -> None:
    """Pack the files that an image is built from, and those in deploy/ that run it."""
    with tarfile.open(target, "w:gz") as archive:
        for name in sorted(files):
            if not NOT_SHIPPED.match(name):
                archive.add(ROOT / name, f"minesite-{version}/{name}")


def build_wheel(files: list[str], target: Path) -> Path:
    """Of a copy without tests, so that nothing else gets into it and nothing is left here."""
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(target)]
    with TemporaryDirectory(prefix="minesite-wheel-") as folder:
        for name in files:
            if not NOT_SHIPPED.match(name):
                copy = Path(folder, name)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / name, copy)
        subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return next(target.glob("*.whl"))


def _git(*arguments: str) -> str:
    return subprocess.run(
        ["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout


def main(version: str) -> None:
    check_version(version, __version__)
    if _git("status", "--porcelain"):
        raise NotReady("There are changes that are not committed.")
    changelog = ROOT / "CHANGELOG.md"
    check_upgrade_notes((ROOT / "docs" / "upgrading.md").read_text(), version)
    text, section = release_changelog(changelog.read_text(), version, date.today())
    # First what takes long and may fail.
    subprocess.run([sys.executable, "-m", "tests.upgrade.record", version], cwd=ROOT, check=True)
    changelog.write_text(text)
    module = ROOT / "minesite" / "__init__.py"
    module.write_text(module.read_text().replace(f'"{__version__}"', f'"{version}"'))
    DIST.mkdir(exist_ok=True)
    files = _git("ls-files").splitlines()
    build_wheel(files, DIST)
    write_containers(files, DIST / f"minesite-{version}-containers.tar.gz", version)
    tag = DIST / "tag.txt"
    tag.write_text(tag_text(version, section))
    for path in sorted(DIST.iterdir()):
        print(f"{path.stat().st_size:>11,} bytes  {path.relative_to(ROOT)}")
    print(
        "Look at the changes, then:\n"
        f"  git add --all && git commit -m 'Release {version}'\n"
        f"  git tag --annotate v{version} --file {tag.relative_to(ROOT)}\n"
        "  git push --follow-tags"
    )


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("Name the version: make release VERSION=1.2.0")
    try:
        main(sys.argv[1])
    except NotReady as error:
        sys.exit(str(error))
