"""Settings from the environment, each case in a process of its own."""

from __future__ import annotations

import json
import os
import re
import stat
import subprocess
import sys

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.middleware.clickjacking import XFrameOptionsMiddleware
from django.middleware.csrf import CsrfViewMiddleware
from django.middleware.security import SecurityMiddleware
from django.utils.module_loading import import_string

from minesite import environment
from minesite.database_url import database
from tests.running_site import FOREIGN, ROOT

PRODUCTION = {
    "HTTPS": "1",
    "HSTS_SECONDS": "31536000",
    "ALLOWED_HOSTS": "play.example",
    "TRUSTED_PROXIES": "127.0.0.1",
}


def run(arguments: list[str], data_dir, **extra: str) -> subprocess.CompletedProcess[str]:
    inherited = {k: v for k, v in os.environ.items() if k not in FOREIGN}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env={**inherited, "DATA_DIR": str(data_dir), **extra},
        capture_output=True,
        text=True,
        timeout=60,
    )


def settings_with(data_dir, names: list[str], **extra: str) -> dict:
    code = (
        "import json; from django.conf import settings\n"
        f"print(json.dumps({{name: getattr(settings, name) for name in {names!r}}}, default=str))"
    )
    done = run(["-c", code], data_dir, DJANGO_SETTINGS_MODULE="minesite.settings", **extra)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_nobody_else_enters_the_data_folder(tmp_path, monkeypatch):
    old = tmp_path / "old"
    old.mkdir(mode=0o755)
    (old / "db.sqlite3").touch(mode=0o644)
    (old / "redis").mkdir(mode=0o755)
    (old / "elsewhere").symlink_to(tmp_path)
    before = tmp_path.stat().st_mode
    for name in ("old", "new"):
        monkeypatch.setenv("DATA_DIR", str(tmp_path / name))
        folder = environment.data_dir(tmp_path)
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((old / "db.sqlite3").stat().st_mode) == 0o600
    assert stat.S_IMODE((old / "redis").stat().st_mode) == 0o700
    assert tmp_path.stat().st_mode == before


def test_a_folder_for_everybody_is_refused_and_left_as_it_is(tmp_path, monkeypatch):
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(0o1777)
    monkeypatch.setenv("DATA_DIR", str(shared))
    with pytest.raises(ImproperlyConfigured, match="shared by all users"):
        environment.data_dir(tmp_path)
    assert stat.S_IMODE(shared.stat().st_mode) == 0o1777


def test_check_deploy_is_clean_under_production_settings(tmp_path):
    done = run(
        ["manage.py", "check", "--deploy", "--fail-level", "WARNING"], tmp_path, **PRODUCTION
    )
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


@pytest.mark.parametrize(
    ("missing", "code"),
    [({"HTTPS": "0"}, "minesite.W001"), ({"HSTS_SECONDS": "0"}, "minesite.W002")],
)
def test_check_deploy_warns_of_a_site_without_https(tmp_path, missing, code):
    done = run(
        ["manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        tmp_path,
        **{**PRODUCTION, **missing},
    )
    assert done.returncode == 1
    assert code in re.findall(r"\w+\.W\d+", done.stderr)


def test_our_middleware_extends_djangos():
    """Under names of its own, so that Django's checks can't see whether it is there."""
    used = [each for each in map(import_string, settings.MIDDLEWARE) if isinstance(each, type)]
    for expected in (SecurityMiddleware, CsrfViewMiddleware, XFrameOptionsMiddleware):
        assert any(issubclass(each, expected) for each in used)


def test_safe_by_default_and_secure_cookies_over_https(tmp_path):
    names = ["DEBUG", "ALLOWED_HOSTS", "SESSION_COOKIE_SECURE", "SECURE_HSTS_SECONDS", "PORT"]
    names += ["SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME"]
    plain = settings_with(tmp_path, names)
    assert plain["DEBUG"] is False
    assert plain["ALLOWED_HOSTS"] == ["127.0.0.1", "localhost", "[::1]"]
    assert plain["SESSION_COOKIE_SECURE"] is False
    assert (plain["SECURE_HSTS_SECONDS"], plain["PORT"]) == (0, 8000)
    secure = settings_with(tmp_path, names, **PRODUCTION, PORT="9000")
    assert secure["SESSION_COOKIE_SECURE"] is True
    assert secure["SESSION_COOKIE_NAME"] == "__Host-sessionid"
    assert secure["CSRF_COOKIE_NAME"] == "__Host-csrftoken"
    assert secure["ALLOWED_HOSTS"] == ["play.example"]
    assert (secure["SECURE_HSTS_SECONDS"], secure["PORT"]) == (31536000, 9000)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "eight"),
        ("PORT", "0"),
        ("DEBUG", "maybe"),
        ("DATABASE_URL", "mysql://x/y"),
        ("REDIS_URL", "localhost:6379"),
        ("LOG_LEVEL", "loud"),
    ],
)
def test_a_bad_value_is_told_in_one_sentence(tmp_path, name, value):
    done = run(["manage.py", "up"], tmp_path, **{name: value})
    assert done.returncode == 1
    assert done.stderr.startswith("minesite: ")
    assert name in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize("value", ["localhost", "http://x", "redis://x:port", "redis://x:99999"])
def test_an_address_of_another_kind_is_refused_without_showing_it(monkeypatch, value):
    monkeypatch.setenv("REDIS_URL", value)
    with pytest.raises(ImproperlyConfigured) as refused:
        environment.url("REDIS_URL", "redis", "unix")
    assert "REDIS_URL" in str(refused.value)
    assert value not in str(refused.value)


def test_addresses_words_and_origins_that_are_good(monkeypatch):
    several = "redis+sentinel://:secret@one:26379,two,three:26380/live/0"
    for value in ("", "redis://:secret@host:6379/0", "unix:///run/redis.sock", several):
        monkeypatch.setenv("REDIS_URL", value)
        assert environment.url("REDIS_URL", "redis", "unix", "redis+sentinel") == value
    monkeypatch.setenv("LOG_LEVEL", "debug")
    assert environment.choice("LOG_LEVEL", "INFO", "DEBUG") == "DEBUG"
    monkeypatch.setenv("TRUSTED_ORIGINS", "https://a.example, http://b.example:81")
    assert environment.origins("TRUSTED_ORIGINS") == ["https://a.example", "http://b.example:81"]
    for bad in ("b.example", "https://b.example/page"):
        monkeypatch.setenv("TRUSTED_ORIGINS", bad)
        with pytest.raises(ImproperlyConfigured):
            environment.origins("TRUSTED_ORIGINS")


def test_the_secret_key_is_made_once_and_only_its_owner_reads_it(tmp_path, monkeypatch):
    monkeypatch.delenv("SECRET_KEY", raising=False)
    first = environment.secret_key(tmp_path)
    assert len(first) > 60
    assert environment.secret_key(tmp_path) == first
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]
    monkeypatch.setenv("SECRET_KEY", "given")
    assert environment.secret_key(tmp_path) == "given"


def test_the_push_key_is_made_once_and_only_its_owner_reads_it(tmp_path, monkeypatch):
    monkeypatch.delenv("PUSH_KEY", raising=False)
    first = environment.push_key(tmp_path)
    assert len(first) == 43
    assert environment.push_key(tmp_path) == first
    assert (tmp_path / "push_key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["push_key"]
    (tmp_path / "other").mkdir()
    other = environment.push_key(tmp_path / "other")
    assert other != first
    monkeypatch.setenv("PUSH_KEY", other)
    assert environment.push_key(tmp_path) == other


@pytest.mark.parametrize("wrong", ["short", "A" * 43, "_" * 42 + "8", "!" * 43, "A" * 44])
def test_a_push_key_that_is_none_is_refused(tmp_path, monkeypatch, wrong):
    monkeypatch.setenv("PUSH_KEY", wrong)
    with pytest.raises(ImproperlyConfigured, match="P-256"):
        environment.push_key(tmp_path)


def test_database_urls(tmp_path):
    entry = database("postgresql://us%40er:pa%2Fss@db.example:6543/name?sslmode=require", tmp_path)
    assert (entry["USER"], entry["PASSWORD"]) == ("us@er", "pa/ss")
    assert (entry["HOST"], entry["PORT"], entry["NAME"]) == ("db.example", "6543", "name")
    assert entry["OPTIONS"]["sslmode"] == "require"
    assert database("postgres:///name?host=/run/pg", tmp_path)["HOST"] == "/run/pg"
    assert database("sqlite:////data/x.db", tmp_path)["NAME"] == "/data/x.db"
    assert database("", tmp_path / "d.db")["NAME"] == str(tmp_path / "d.db")
    with pytest.raises(ImproperlyConfigured):
        database("postgresql://h:port/x", tmp_path)


def test_sqlite_is_durable_and_waits_its_turn(tmp_path):
    code = (
        "import django; django.setup()\n"
        "from django.db import connection as c\n"
        "cursor = c.cursor()\n"
        "ask = lambda name: cursor.execute(f'PRAGMA {name}').fetchone()[0]\n"
        "print([ask('journal_mode'), ask('synchronous')])\n"
        "print(c.transaction_mode)"
    )
    done = run(["-c", code], tmp_path, DJANGO_SETTINGS_MODULE="minesite.settings")
    assert done.stdout.split("\n")[:2] == ["['wal', 2]", "IMMEDIATE"], done.stderr


EXTRA = {
    "clash": ("from games.modes.race.mode import MODE", "both have a mode named race"),
    "without": ("MODE = 3", "has no MODE"),
    "broken": ("MODE = nothing", "name 'nothing' is not defined"),
    "lacking": (
        "from dataclasses import replace\n"
        "from games.engine.registry import TEST_MODES\n"
        "MODE = replace(TEST_MODES['claim'], parts=frozenset({'mini'}))",
        "there is no static/modes/claim/mini.js",
    ),
}


@pytest.mark.parametrize("package", [*EXTRA, "missing"])
def test_a_bad_mode_from_outside_is_told_in_one_sentence(tmp_path, package):
    code, sentence = EXTRA.get(package, ("", "No module named 'missing'"))
    if code:
        folder = tmp_path / package
        folder.mkdir()
        (folder / "__init__.py").write_text("")
        (folder / "mode.py").write_text(code)
    done = run(
        ["manage.py", "check"], tmp_path / "var", PYTHONPATH=str(tmp_path), EXTRA_MODES=package
    )
    assert done.returncode != 0
    (line,) = done.stderr.strip().splitlines()
    assert line.startswith("minesite: ")
    assert sentence in line
