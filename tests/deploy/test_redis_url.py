"""A REDIS_URL that can't work is refused."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.chaos.replicated import Server
from tests.running_site import ROOT, new_site, wait_for

pytestmark = pytest.mark.timeout(120)


@pytest.fixture
def cluster_node(tmp_path):
    server = Server(tmp_path, "--cluster-enabled", "yes")
    try:
        wait_for(lambda: server.ask("PING"), 20, "the server")
        yield server
    finally:
        server.stop()


@pytest.mark.parametrize("command", ["up", "web", "worker"])
def test_a_cluster_is_refused_in_one_sentence(tmp_path, cluster_node, command):
    site = new_site(tmp_path / "var", REDIS_URL=f"redis://127.0.0.1:{cluster_node.port}")
    done = subprocess.run(
        [sys.executable, "manage.py", command],
        cwd=ROOT,
        env=site.environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 1
    assert done.stderr.startswith("minesite: REDIS_URL leads to a Redis Cluster")
    assert "LIVE_REDIS_URL" in done.stderr
    assert len(done.stderr.splitlines()) == 1
