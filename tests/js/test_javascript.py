"""The unit tests of the JavaScript, by Node's own runner: `npm test`."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.running_site import ROOT

HERE = Path(__file__).resolve().parent


@pytest.mark.skipif(shutil.which("node") is None, reason="Node.js is not installed")
def test_the_tests_of_the_javascript_pass() -> None:
    files = sorted(HERE.glob("*.test.mjs"))
    assert files
    done = subprocess.run(
        ["node", "--import", "./tests/js/resolve.mjs", "--test", *files],
        cwd=ROOT, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
