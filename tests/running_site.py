"""The whole site as a user runs it: `manage.py up` with a folder and ports of its own."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parents[1]
# Settings of the test process itself that the site must not inherit.
FOREIGN = ("DJANGO_SETTINGS_MODULE", "REDIS_URL", "REDIS_PREFIX", "DATABASE_URL", "LOG_FORMAT")

# Runs what it reads, a JSON string per line, and answers whether that went well and what it said.
SHELL = """
import contextlib, io, json, sys, traceback
for line in sys.stdin:
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            exec(json.loads(line), {"__name__": "__main__"})
        answer = [True, out.getvalue()]
    except Exception:
        answer = [False, traceback.format_exc()]
    print(json.dumps(answer), flush=True)
"""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return probe.getsockname()[1]


def wait_for(condition, seconds: float = 15, what: str = "the condition"):
    """The condition's first true value; fails after so many seconds."""
    deadline = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < deadline, f"{what} did not come true in {seconds} s"
        time.sleep(0.02)
    return value


@dataclass
class RunningSite:
    data_dir: Path
    port: int
    tcp_port: int
    extra: dict[str, str]
    process: subprocess.Popen[bytes] | None = None
    shell: subprocess.Popen[str] | None = None
    start_seconds: float = 0.0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def output(self) -> str:
        return (self.data_dir / "up.out").read_text(errors="replace")

    @property
    def environment(self) -> dict[str, str]:
        inherited = {k: v for k, v in os.environ.items() if k not in FOREIGN}
        return {
            **inherited,
            "DATA_DIR": str(self.data_dir),
            "PORT": str(self.port),
            "TCP_PORT": str(self.tcp_port),
            "SECRET_KEY": "",
            # All tests come from one address.
            "REQUESTS_PER_ADDRESS": "0",
            **self.extra,
        }

    def start(self) -> None:
        begin = time.monotonic()
        self.data_dir.mkdir(parents=True, exist_ok=True)
        with (self.data_dir / "up.out").open("ab") as out:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "up"],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
            )
        wait_for(lambda: self.healthy() or self.failing(), 120, "the site's start")
        assert not self.failing(), self.output
        self.start_seconds = time.monotonic() - begin

    def ended(self) -> bool:
        return self.process is not None and self.process.poll() is not None

    def failing(self) -> bool:
        return self.ended() or self.output.count(" ended with code ") > 2

    def health(self) -> tuple[int, dict[str, str]]:
        try:
            with urlopen(f"{self.url}/healthz", timeout=5) as answer:
                return answer.status, json.load(answer)
        except HTTPError as error:
            with error:
                return error.code, json.load(error)
        except (URLError, OSError):
            return 0, {}

    def healthy(self) -> bool:
        return self.health()[0] == 200

    def manage(self, *arguments: str, input: str | None = None) -> str:
        """Run a management command beside the site; for example `manage("demo")`."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            input=input,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def python(self, code: str) -> str:
        """Run Python with the site's settings, database and Redis; returns what it prints. All of
        it runs in one process, because starting one costs more than what most of it does."""
        if self.shell is None:
            self.shell = subprocess.Popen(
                [sys.executable, "manage.py", "shell", "--no-imports", "-v0", "-c", SHELL],
                cwd=ROOT,
                env=self.environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
        assert self.shell.stdin is not None
        assert self.shell.stdout is not None
        self.shell.stdin.write(json.dumps(code) + "\n")
        self.shell.stdin.flush()
        done, printed = json.loads(self.shell.stdout.readline())
        assert done, printed
        return printed

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        """End it, or only what ran in its folder when it was never started."""
        if self.shell is not None:
            self.shell.communicate()
            self.shell = None
        if self.process is None:
            return 0
        if not self.ended():
            self.process.send_signal(how)
        return self.process.wait(15)


def new_site(folder: Path, **extra: str) -> RunningSite:
    return RunningSite(folder, free_port(), free_port(), extra)
