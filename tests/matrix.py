"""Runs the tests on every supported Python that is installed, and on Django's newest release.

    python -m tests.matrix [--list] [arguments of pytest]

Each combination has a virtual environment of its own in var/matrix. Ends with 1 if the tests fail
on one of them.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.running_site import ROOT

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
FOLDER = ROOT / "var" / "matrix"
PYTEST = ("-n", "3", "--dist", "loadfile", "--no-loadscope-reorder", "-q")
ASK = "import ensurepip, sys; print(sys.executable)"


@dataclass(frozen=True)
class Combination:
    name: str
    python: str
    packages: tuple[str, ...]
    """Installed after the pinned ones."""

    @property
    def folder(self) -> Path:
        return FOLDER / self.name

    def prepare(self) -> Path:
        """Its Python, with everything installed."""
        python = self.folder / "bin" / "python"
        ready = self.folder / ".installed"
        pins = (ROOT / "requirements-dev.txt").read_text()
        if not ready.exists() or ready.read_text() != pins:
            subprocess.run([self.python, "-m", "venv", "--clear", str(self.folder)], check=True)
            pip = [str(python), "-m", "pip", "--disable-pip-version-check", "--quiet", "install"]
            subprocess.run(
                [*pip, "--prefer-binary", "-r", "requirements-dev.txt"], cwd=ROOT, check=True
            )
            if self.packages:
                subprocess.run([*pip, "--upgrade", *self.packages], cwd=ROOT, check=True)
            ready.write_text(pins)
        return python


def installed() -> dict[str, str]:
    """The supported Pythons that work here, by version: on the path, or installed by pyenv."""
    found: dict[str, str] = {}
    for version in PYTHONS:
        name = f"python{version}"
        pyenv = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/{name}"))
        for path in filter(None, [shutil.which(name), *pyenv]):
            # pyenv's shims are there without a Python behind them.
            asked = subprocess.run([path, "-c", ASK], capture_output=True, text=True)
            if asked.returncode == 0 and version not in found:
                found[version] = asked.stdout.strip()
    return found


def combinations(pythons: dict[str, str]) -> list[Combination]:
    """Each Python with the pins, then the newest one with the newest Django."""
    pinned = [Combination(f"python-{v}", path, ()) for v, path in pythons.items()]
    if not pythons:
        return []
    return [*pinned, Combination("newest-django", list(pythons.values())[-1], ("Django",))]


def main(arguments: list[str]) -> int:
    pythons = installed()
    for version in PYTHONS:
        print(f"Python {version}: {pythons.get(version, 'not installed')}", flush=True)
    if "--list" in arguments:
        return 0
    results = {}
    for one in combinations(pythons):
        print(f"\n== {one.name}", flush=True)
        python = one.prepare()
        versions = "import django, sys; print('Python', sys.version, 'Django', django.__version__)"
        subprocess.run([str(python), "-c", versions], check=True)
        tests = [str(python), "-m", "pytest", *(arguments or PYTEST)]
        results[one.name] = subprocess.run(tests, cwd=ROOT).returncode
    print()
    for name, code in results.items():
        print(f"{name:<16} {'passed' if code == 0 else f'failed with {code}'}")
    return 1 if any(results.values()) or not results else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
