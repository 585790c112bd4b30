"""`manage.py doctor` is silent about a good site and names what is wrong with a bad one."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from minesite.doctor import machine, stores
from minesite.doctor.finding import Finding, Level
from tests.running_site import ROOT, RunningSite, free_port


def levels(findings: list[Finding]) -> set[Level]:
    return {finding.level for finding in findings}


def run_doctor(site: RunningSite, *args: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "manage.py", "doctor", *args],
        env=site.environment, cwd=ROOT, capture_output=True, text=True, timeout=60,
    )  # fmt: skip


@pytest.mark.site
def test_a_site_as_it_starts_is_in_order(site: RunningSite):
    told = run_doctor(site, "--url", site.url)
    assert told.returncode == 0, told.stdout + told.stderr
    assert "problem" not in told.stdout
    assert "1 web and 1 worker processes are alive" in told.stdout
    assert "WebSockets get through" in told.stdout


@pytest.mark.site
def test_an_address_without_a_site_is_a_problem(site: RunningSite):
    told = run_doctor(site, "--url", f"http://127.0.0.1:{free_port()}")
    assert told.returncode == 1
    assert "can't be reached" in told.stdout


@pytest.mark.parametrize("name", ["secret_key", "push_key"])
def test_files_that_others_can_read_are_a_problem(tmp_path: Path, name: str):
    (tmp_path / "db.sqlite3").touch(mode=0o600)
    tmp_path.chmod(0o700)
    assert levels([*machine.files(tmp_path)]) == {Level.GOOD}
    (tmp_path / name).touch()
    (tmp_path / name).chmod(0o644)
    (found,) = machine.files(tmp_path)
    assert found.level is Level.PROBLEM
    assert name in found.text
    assert "db.sqlite3" not in found.text


@pytest.mark.parametrize(
    ("free_mb", "level"), [(100, Level.PROBLEM), (1000, Level.WARNING), (9000, Level.GOOD)]
)
def test_a_disk_is_judged_by_its_room(tmp_path: Path, monkeypatch, free_mb: int, level: Level):
    usage = type("Usage", (), {"free": free_mb * machine.MEGABYTE})
    monkeypatch.setattr(machine.shutil, "disk_usage", lambda folder: usage)
    assert levels([*machine.disk(tmp_path)]) == {level}


def test_settings_that_contradict_each_other_are_problems(settings):
    settings.DEBUG, settings.HTTPS, settings.TRUSTED_PROXIES = False, False, []
    settings.ALLOWED_HOSTS = [".example.org"]
    assert levels([*machine.configuration("http://play.example.org")]) == {Level.GOOD}
    (refused,) = machine.configuration("http://other.example")
    assert "ALLOWED_HOSTS" in refused.remedy
    (insecure,) = machine.configuration("https://play.example.org")
    assert insecure.remedy == "Set HTTPS=1."
    settings.HTTPS = True
    (untrusted, _) = machine.configuration("https://play.example.org")
    assert "TRUSTED_PROXIES" in untrusted.remedy


@pytest.fixture
def careless_redis(settings) -> Iterator[Redis]:
    """The tests' Redis, as somebody would set it up who does not mind losing matches."""
    with Redis.from_url(settings.REDIS_URL) as client:
        before = client.config_get("*")
        client.config_set("maxmemory-policy", "allkeys-lru")
        yield client
        client.config_set("maxmemory-policy", before["maxmemory-policy"])


async def test_a_redis_that_may_lose_moves_is_a_problem(settings, careless_redis: Redis):
    settings.LIVE_ACK_REPLICAS = 2
    found = await stores.redis_servers()
    remedies = " ".join(finding.remedy for finding in found)
    assert levels(found) == {Level.PROBLEM}
    assert "appendfsync always" in remedies  # the tests' own Redis does not fsync
    assert "noeviction" in remedies
    assert "LIVE_ACK_REPLICAS" in remedies


async def test_a_redis_that_does_not_answer_is_a_problem(settings, monkeypatch):
    settings.REDIS_URL = settings.LIVE_REDIS_URL = f"redis://127.0.0.1:{free_port()}"
    monkeypatch.setattr(stores, "PATIENCE", 0.2)
    (found,) = await stores.redis_servers()
    assert found.text == "REDIS_URL: no Redis answers there."


def test_clocks_that_differ_are_worth_a_warning():
    assert not [*stores.clock("Redis", 1_000_001, 1_000_000)]
    (found,) = stores.clock("Redis", 1_000_005, 1_000_000)
    assert found.text == "The clock of Redis and this machine's differ by 5 s."


@pytest.mark.django_db
def test_a_database_with_all_migrations_is_in_order():
    assert levels([*stores.database()]) == {Level.GOOD}
