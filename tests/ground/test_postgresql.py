"""Every test marked `database` once more, on a throwaway PostgreSQL."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.postgresql import binaries, throwaway_postgresql
from tests.running_site import ROOT, new_site


@pytest.fixture(scope="module")
def postgresql_url():
    folder = binaries()
    if folder is None:
        pytest.skip("PostgreSQL's binaries (initdb, postgres) are not installed")
    with throwaway_postgresql(folder) as url:
        yield url


@pytest.mark.timeout(600)
def test_the_database_tests_pass_on_postgresql(postgresql_url: str):
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-m", "database", "-p", "no:cacheprovider"],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": postgresql_url, "PYTEST_ADDOPTS": ""},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout[-8000:]
    assert re.search(r"\b[1-9]\d* passed", done.stdout), done.stdout[-2000:]


@pytest.mark.site
def test_the_whole_site_runs_on_postgresql(postgresql_url: str, tmp_path):
    site = new_site(tmp_path / "var", DATABASE_URL=postgresql_url)
    try:
        site.start()
        assert not (site.data_dir / "db.sqlite3").exists()
    finally:
        site.stop()
